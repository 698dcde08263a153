package millrace.report.host;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// Tells host figures as a few lines of text.
public final class HostText {

  /// Less stolen time than this share is the same everywhere.
  private static final double STOLEN_SHARE_MIN = 0.01;

  private HostText() {}

  /// The lines, each a title of 11 cells and a fact.
  public static List<String> lines(HostFigures host) {
    List<String> lines = new ArrayList<>();
    HostFigures.Cpu cpu = host.cpu();
    if (cpu.millraceS() >= 0) {
      lines.add("machine    " + machine(host));
      lines.add("processor  " + processor(host));
      lines.add("           " + shares(cpu));
      HostFigures.LaneWaits waits = host.laneWaits();
      if (waits != null) {
        lines.add("           the lanes' " + onProcessors(waits));
      }
    }
    for (HostFigures.Server server : host.servers()) {
      if (server.cpuS() >= 0) {
        lines.add("server     " + server(server));
      }
    }
    host.storage().disks().forEach(disk -> lines.add("disk       " + disk(host, disk)));
    Boolean shareDisk = host.storage().shareDisk();
    if (shareDisk != null) {
      lines.add(
          "           source and target " + (shareDisk ? "share a disk" : "are on separate disks"));
    }
    host.unknown().forEach(line -> lines.add("not seen   " + line));
    return lines;
  }

  private static String onProcessors(HostFigures.LaneWaits waits) {
    List<String> sides = new ArrayList<>();
    if (waits.readersPercent() >= 0) {
      sides.add("readers " + onProcessors(waits.readersBusyPercent(), waits.readersPercent()));
    }
    if (waits.writersPercent() >= 0) {
      sides.add("writers " + onProcessors(waits.writersBusyPercent(), waits.writersPercent()));
    }
    return String.join(", ", sides);
  }

  private static String onProcessors(double busyPercent, double waitingPercent) {
    return String.format(
        Locale.ROOT,
        "were on a processor for %.0f %% of their time and waited for one for %.0f %%",
        busyPercent,
        waitingPercent);
  }

  private static String machine(HostFigures host) {
    StringBuilder text = new StringBuilder();
    HostFigures.Hardware hardware = host.hardware();
    text.append(hardware.processors())
        .append(hardware.processors() == 1 ? " processor" : " processors");
    if (!hardware.cpuModel().isEmpty()) {
      text.append(", ").append(hardware.cpuModel());
    }
    if (hardware.clockMhzMean() > 0) {
      boolean steady = hardware.clockMhzMax() - hardware.clockMhzMin() < 1;
      text.append(
          steady
              ? String.format(Locale.ROOT, ", %.0f MHz", hardware.clockMhzMean())
              : String.format(
                  Locale.ROOT,
                  ", %.0f to %.0f MHz, %.0f on the average",
                  hardware.clockMhzMin(),
                  hardware.clockMhzMax(),
                  hardware.clockMhzMean()));
    }
    return text.toString();
  }

  private static String processor(HostFigures host) {
    HostFigures.Cpu cpu = host.cpu();
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Millrace %.2f s (user %.2f, system %.2f; of it JIT %.2f, GC %.2f)",
            cpu.millraceS(),
            cpu.own().userS(),
            cpu.own().systemS(),
            cpu.own().jitS(),
            cpu.own().gcS()));
    if (host.servers().stream().anyMatch(server -> server.cpuS() >= 0)) {
      text.append(String.format(Locale.ROOT, ", servers %.2f s", cpu.serversS()));
    }
    text.append(
        String.format(
            Locale.ROOT,
            ", others %.2f s, idle %.2f s, idle for disks %.2f s",
            cpu.restS(),
            cpu.idleS(),
            cpu.iowaitS()));
    double all = cpu.millraceS() + cpu.serversS() + cpu.restS() + cpu.idleS() + cpu.iowaitS();
    if (cpu.stolenS() > STOLEN_SHARE_MIN * all) {
      text.append(String.format(Locale.ROOT, ", taken by the hypervisor %.2f s", cpu.stolenS()));
    }
    return text.toString();
  }

  private static String shares(HostFigures.Cpu cpu) {
    List<String> shares = new ArrayList<>();
    if (cpu.share().usPerRow() >= 0) {
      shares.add(String.format(Locale.ROOT, "%.2f µs a row in Millrace", cpu.share().usPerRow()));
    }
    if (cpu.serversS() > 0) {
      shares.add(
          String.format(
              Locale.ROOT,
              "Millrace is %.0f %% of what it and the servers took",
              cpu.share().sharePercent()));
    }
    if (cpu.share().shareOfBusyPercent() >= 0) {
      shares.add(
          String.format(
              Locale.ROOT,
              "%.0f %% of all that ran on the machine",
              cpu.share().shareOfBusyPercent()));
    }
    return String.join(", ", shares);
  }

  private static String server(HostFigures.Server server) {
    String busy = server.busyProcessesMean() < 0 ? "" : ", " + server.work();
    return String.format(
        Locale.ROOT,
        "%s (%s, found by %s): %.2f s%s",
        server.label(),
        server.role(),
        server.foundBy(),
        server.cpuS(),
        busy);
  }

  private static String disk(HostFigures host, HostFigures.Disk disk) {
    String holds =
        host.storage().homes().stream()
            .filter(home -> home.disks().contains(disk.name()))
            .map(HostFigures.Home::role)
            .distinct()
            .collect(Collectors.joining(" and "));
    return String.format(
        Locale.ROOT,
        "%s (%s): read %.1f MB/s, queue %.1f; write %.1f MB/s, queue %.1f; busy %.0f %%",
        disk.name(),
        holds,
        disk.readMbPerS(),
        disk.readQueueMean(),
        disk.writeMbPerS(),
        disk.writeQueueMean(),
        disk.busyPercent());
  }
}
