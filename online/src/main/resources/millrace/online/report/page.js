"use strict";
// Draws a run from the JSON that stands in the page; a live page then asks its server each second.
const root = document.documentElement;
window.addEventListener("error", (event) => { root.dataset.error = event.message; });
window.addEventListener("unhandledrejection", (event) => { root.dataset.error = String(event.reason); });

(() => {
  const byId = (id) => document.getElementById(id);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const narrow = window.matchMedia("(max-width: 640px)");
  const variable = (name) => getComputedStyle(root).getPropertyValue(name).trim();
  let report = JSON.parse(byId("data").textContent);

  function element(name, text, classes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (classes) made.className = classes;
    return made;
  }

  // Numbers ------------------------------------------------------------------------------------

  const whole = (value) => Math.round(value).toLocaleString("en-US");

  function number(value, most = 2) {
    if (value === null || value === undefined) return "–";
    const digits = Math.min(most, value < 10 ? 2 : value < 100 ? 1 : 0);
    return value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }

  function percent(value) {
    return value === 0 ? "0 %" : value < 0.01 ? "< 0.01 %" : value.toFixed(2) + " %";
  }

  const millions = (value) => (value < 1e7 ? whole(value) : (value / 1e6).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 }) + " M");
  const millis = (value) => (value < 1000 ? number(value) + " ms" : number(value / 1000) + " s");

  function clock(value) {
    const two = (part) => String(Math.floor(part)).padStart(2, "0");
    return (value < 3600 ? Math.floor(value / 60) : Math.floor(value / 3600) + ":" + two((value / 60) % 60)) + ":" + two(value % 60);
  }

  function tick(value) {
    const parts = [[Math.floor(value / 3600), "h"], [Math.floor((value % 3600) / 60), "m"], [Math.round(value % 60), "s"]];
    return parts.filter(([part]) => part).map(([part, unit]) => part + unit).join("") || "0";
  }

  // Head and tables ----------------------------------------------------------------------------

  const drawn = new Map();

  // Draws a part only if its data are new, so that what the user has marked stays marked.
  function part(id, data, draw) {
    const text = JSON.stringify(data);
    if (drawn.get(id) === text) return;
    drawn.set(id, text);
    byId(id).replaceChildren(...draw(data));
  }

  function head() {
    const named = (result) => report.criteria.filter((one) => one.result === result).map((one) => one.name).join("; ");
    const broken = named("broken");
    const running = report.state === "running";
    const cautious = report.state === "passed" && report.cautions.length > 0;
    const verdicts = {
      passed: "All " + report.criteria.length + " criteria hold" + (cautious ? ", but " + report.cautions.join("; ") : "") + ".",
      failed: broken ? "By: " + broken + "." : "",
      invalid: "This machine held the run up, not the target, so nothing can be said of: " + named("not_valid") + ".",
      untested: "Nothing is broken, but " + [["not tested: ", named("not_tested")], ["undecided: ", named("undecided")]].filter((one) => one[1]).map((one) => one.join("")).join("; ") + ".",
      stopped: "It ended before its time." + (broken ? " Failed until then by: " + broken + "." : ""),
      running: broken ? "Failed so far by: " + broken + "." : "Nothing is broken so far.",
    };
    byId("state").className = "badge " + (cautious ? "cautious" : report.state);
    byId("state").textContent = (cautious ? "PASSED, BUT NOT FOR LONG" : { untested: "NOT PASSED", invalid: "NOT VALID" }[report.state]) || report.state.toUpperCase();
    byId("why").textContent = verdicts[report.state];
    byId("title").textContent = report.title;
    document.title = report.state + ": " + report.title;
    byId("when").textContent = "started " + report.started_at.slice(0, 19).replace("T", " ") + " UTC, "
      + (running ? "running for " : "ran for ") + clock(report.elapsed_s);
    const totals = report.totals;
    const late = totals.rows ? (100 * totals.late_rows) / totals.rows : 0;
    part("tiles", [
      [whole(running ? report.last_10_s_rows_per_s : totals.rows_per_s), running ? "rows/s, last 10 s" : "rows/s"],
      [millions(totals.rows), "rows acknowledged"],
      [millis(totals.start_delay_max_ms), "worst start delay", totals.start_delay_max_ms > report.limits.start_delay_ms],
      [millis(totals.write_max_ms), "longest write"],
      [percent(totals.bad_seconds_percent), whole(totals.bad_seconds) + " bad seconds"],
      [whole(totals.late_rows), "late rows, " + percent(late)],
      [whole(totals.write_errors), "write errors", totals.write_errors > 0],
    ], (tiles) => tiles.map(([value, name, wrong]) => {
      const tile = element("div", undefined, wrong ? "tile wrong" : "tile");
      tile.append(element("b", value), element("span", name));
      return tile;
    }));
  }

  function mark(good, yes, no) {
    return element("span", good ? "✓ " + yes : "✗ " + no, good ? "mark passed" : "mark failed");
  }

  function table(heads, lines, none) {
    if (lines.length === 0) return [element("p", none, "soft")];
    const made = element("table");
    const top = element("tr");
    heads.forEach(([text, kind]) => top.append(element("th", text, kind)));
    made.append(top);
    lines.forEach((cells) => {
      const line = element("tr");
      cells.forEach((cell, i) => {
        const box = element("td", undefined, heads[i][1]);
        box.append(cell);
        line.append(box);
      });
      made.append(line);
    });
    return [made];
  }

  const items = (texts) => texts.map((text) => element("li", text));

  function tables() {
    part("criteria", report.criteria, (all) => table(
      [["criterion", "text"], ["limit", "text"], ["measured", "text"], [""]],
      all.map((one) => [one.name, one.limit, one.measured, { holds: () => mark(true, "holds"), broken: () => mark(false, "", "broken"), not_valid: () => element("span", "not valid", "mark untested"), not_tested: () => element("span", "not tested", "mark untested"), undecided: () => element("span", "undecided", "mark untested") }[one.result]()]), "None."));
    part("latencies", report.latencies, (all) => table(
      [["", "text"], ["writes"], ["p50"], ["p90"], ["p99"], ["p99.9"], ["max"]],
      all.map((one) => [one.name, whole(one.count), ...[one.p50_ms, one.p90_ms, one.p99_ms, one.p999_ms, one.max_ms].map((value) => number(value))]),
      "No write yet."));
    part("levels", report.levels, (all) => table(
      [["", "text"], ["count"], ["running"], ["again"], ["failed"], ["mean s"], ["max s"]],
      all.map((one) => [one.level, whole(one.count), whole(one.running), whole(one.again),
        one.failed ? mark(false, "", whole(one.failed)) : "0", number(one.mean_s), number(one.max_s)]),
      "No aggregate yet."));
    const failed = report.windows.filter((one) => one.error);
    part("errors", failed.slice(0, 5), (all) => all.map((one) => element("p", one.level + " " + one.window + ": " + one.error)));
    part("sums", report.sums, (all) => table(
      [["", "text"], ["rows"], ["watts"], ["of them filled in before"], ["rows differ"], [""]],
      all.map((one) => [one.place, whole(one.rows), whole(one.watts), whole(one.filled_in_watts), whole(one.differing), mark(one.agrees, "agrees", "differs")]),
      report.state === "running" ? "They are compared when the run has ended." : "They were not compared."));
    part("forecasts", report.forecasts, (all) => (all.length ? items(all) : [element("p", "None yet.", "soft")]));
    part("notes", report.notes, items);
    byId("noted").hidden = report.notes.length === 0;
    part("settings", report.settings, (all) => Object.entries(all).flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
    byId("thinned").textContent = report.seconds_per_point > 1
      ? "Each point is the largest value of " + report.seconds_per_point + " seconds." : "";
  }

  // Charts -------------------------------------------------------------------------------------

  const charts = {};
  const levelColours = ["--one", "--two", "--three", "--four"];
  const levelShapes = ["circle", "rectRot", "triangle", "rect"];
  let pointed;

  // What lies behind and over the lines: switches of partitions, the limit, where the mouse is.
  const marks = {
    id: "marks",
    beforeDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales } = chart;
      let free = area.left;
      ctx.save();
      ctx.font = "11px " + getComputedStyle(document.body).fontFamily;
      ctx.textBaseline = "bottom";
      report.partition_switches.forEach((one) => {
        const x = Math.round(scales.x.getPixelForValue(one.at_s)) + 0.5;
        // Many switches must not hide the lines.
        ctx.globalAlpha = Math.min(1, area.width / report.partition_switches.length / 24);
        line(ctx, [x, area.top, x, area.bottom], variable("--faint"), [1, 3]);
        ctx.globalAlpha = 1;
        ctx.fillStyle = variable("--faint");
        const width = ctx.measureText(one.partition).width;
        const left = Math.max(Math.min(x - width / 2, area.right - width), area.left);
        if (left >= free) {
          ctx.fillText(one.partition, left, area.top - 4);
          free = left + width + 10;
        }
      });
      ctx.restore();
    },
    afterDatasetsDraw(chart) {
      const { ctx, chartArea: area, scales } = chart;
      const limit = chart.options.limit;
      ctx.save();
      ctx.font = "600 11px " + getComputedStyle(document.body).fontFamily;
      ctx.fillStyle = variable("--limit");
      ctx.textAlign = "right";
      if (limit) {
        const y = Math.round(scales.y.getPixelForValue(limit.value)) + 0.5;
        line(ctx, [area.left, y, area.right, y], variable("--limit"), [6, 4]);
        ctx.textBaseline = y - area.top < 16 ? "top" : "bottom";
        ctx.fillText(limit.text, area.right - 4, y + (y - area.top < 16 ? 4 : -4));
      }
      if (pointed !== undefined) {
        const x = scales.x.getPixelForValue(pointed);
        line(ctx, [x, area.top, x, area.bottom], variable("--soft"), []);
      }
      ctx.restore();
    },
    afterEvent(chart, { event }) {
      const inside = event.type === "mousemove" && event.x >= chart.chartArea.left && event.x <= chart.chartArea.right;
      const next = inside ? chart.scales.x.getValueForPixel(event.x) : undefined;
      if (next === pointed) return;
      pointed = next;
      Object.values(charts).forEach((one) => one.draw());
    },
  };

  function line(ctx, [x1, y1, x2, y2], colour, dash) {
    ctx.strokeStyle = colour;
    ctx.setLineDash(dash);
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
  }

  function timeScale() {
    return {
      type: "linear", min: 0, grid: { display: false }, border: { color: variable("--axis") },
      ticks: { color: variable("--soft"), maxRotation: 0, callback: tick },
      afterBuildTicks(scale) {
        const most = narrow.matches ? 5 : 10;
        const step = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 14400, 43200, 86400].find((one) => scale.max / one <= most) || 604800;
        scale.ticks = Array.from({ length: Math.floor(scale.max / step) + 1 }, (_, i) => ({ value: i * step }));
      },
      // No room of its own for the last label: one time stands at one place in all charts.
      afterFit(scale) { scale.paddingLeft = 0; scale.paddingRight = 0; },
    };
  }

  // From low to high: what is below, such as 0, stands on the lowest line.
  function valueScale(unit, logarithmic, low, high) {
    const scale = {
      grid: { color: variable("--line") }, border: { display: false },
      ticks: { color: variable("--soft"), maxTicksLimit: 6, callback: unit },
      afterFit(made) { made.width = 64; },
    };
    if (!logarithmic) return { ...scale, type: "linear", min: 0, suggestedMax: high, grace: "4%" };
    return { ...scale, type: "logarithmic", min: low, max: high * 1.3,
      afterBuildTicks(made) {
        const decades = Array.from({ length: 12 }, (_, i) => 10 ** (i - 4));
        const steps = high / low > 300 ? [1] : high / low > 50 ? [1, 3] : [1, 2, 5];
        made.ticks = decades.flatMap((ten) => steps.map((step) => ({ value: step * ten })))
          .filter((one) => one.value >= made.min && one.value <= made.max);
      } };
  }

  function make(id, datasets, label) {
    if (charts[id]) charts[id].destroy();
    charts[id] = new Chart(byId(id), {
      type: "line",
      data: { datasets },
      plugins: [marks],
      options: {
        animation: false, maintainAspectRatio: false, responsive: true, parsing: false, normalized: true,
        layout: { autoPadding: false, padding: { top: 16, right: 18, left: 2 } },
        interaction: { mode: "nearest", axis: "x", intersect: false },
        elements: { line: { borderWidth: 1.5, borderJoinStyle: "round" }, point: { radius: 0, hitRadius: 6, hoverRadius: 4 } },
        plugins: {
          legend: { display: false },
          tooltip: { backgroundColor: variable("--ink"), titleColor: variable("--card"), bodyColor: variable("--card"), callbacks: { title: (all) => clock(all[0].raw.x) + " after the start", label }, displayColors: false },
        },
        scales: {
          x: timeScale(),
        },
      },
    });
  }

  function keys(id, all) {
    part(id, all, () => all.map(([text, colour, kind]) => {
      const key = element("span");
      const sign = element("i", undefined, kind);
      sign.style.setProperty("--colour", "var(" + colour + ")");
      key.append(sign, text);
      return key;
    }));
  }

  function build() {
    const set = (colour, more) => ({ data: [], borderColor: variable(colour), backgroundColor: variable(colour), ...more });
    make("write", [set("--write-max", { borderWidth: 1 }), set("--write", { borderWidth: 2 })],
      (item) => ["longest ", "mean "][item.datasetIndex] + millis(item.raw.real));
    make("aggregate", [], (item) => {
      const { run } = item.raw;
      return [run.level + " " + run.window + ": " + number(run.took_s) + " s", run.error.slice(0, 80) || (run.running ? "still running" : run.again ? "done again, since rows or windows below came afterwards" : "")];
    });
    const limit = report.limits.start_delay_ms ?? Infinity;
    make("delay", [set("--delay", { fill: "start", borderWidth: narrow.matches ? 0.8 : 1.2, backgroundColor: variable("--delay") + "22",
      segment: { borderColor: (all) => (Math.max(all.p0.parsed.y, all.p1.parsed.y) > limit ? variable("--limit") : undefined) } })],
    (item) => millis(item.raw.real));
    fill();
  }

  // A level's aggregates: those of first instance by a line, those done again beside it.
  function levelSets(name, i, low) {
    const colour = variable(levelColours[i % levelColours.length]);
    const all = report.windows.filter((run) => run.level === name).sort((a, b) => a.at_s - b.at_s);
    return [false, true].map((again) => {
      const runs = all.filter((run) => run.again === again);
      return {
        data: runs.map((run) => ({ x: run.at_s, y: Math.max(low, run.took_s), run })),
        borderColor: colour + "77", borderWidth: 1, showLine: !again,
        pointStyle: runs.map((run) => (run.error ? "crossRot" : levelShapes[i % levelShapes.length])),
        pointRadius: runs.map((run) => (run.error ? 6 : all.length > 200 ? 2 : i === 0 ? 3 : 5.5)),
        pointBorderWidth: runs.map((run) => (run.error ? 3 : 1.5)),
        pointBorderColor: runs.map((run) => (run.error ? variable("--limit") : colour)),
        pointBackgroundColor: runs.map((run) => (run.running || again ? variable("--card") : colour)),
      };
    });
  }

  const scales = ["automatic", "linear", "logarithmic"];
  let scaleOf = scales[0];

  function scaleButtons() {
    byId("scale").replaceChildren(...scales.map((name) => {
      const button = element("button", name);
      button.type = "button";
      button.setAttribute("aria-pressed", name === scaleOf);
      button.addEventListener("click", () => { scaleOf = name; scaleButtons(); fill(); });
      return button;
    }));
  }

  // Scales a chart by its values and its limit, and gives the lowest value that it can show. A spike,
  // or a limit far away, would press all the rest into a flat line: then the scale is logarithmic.
  function scaled(chart, values, limit, floor, unit) {
    const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
    const at = (share) => (sorted.length ? sorted[Math.floor(share * (sorted.length - 1))] : floor);
    const high = Math.max(at(1), limit || 0, floor * 10);
    const logarithmic = scaleOf === "logarithmic" || (scaleOf === "automatic" && high > 10 * Math.max(at(0.5), floor));
    const low = Math.max(floor, at(0.05) * 0.7);
    chart.options.limit = limit ? { value: limit, text: "limit " + unit(limit) } : undefined;
    chart.options.scales.y = valueScale(unit, logarithmic, low, limit ? Math.max(high, limit * 1.08) : high);
    return logarithmic ? low : 0;
  }

  function fill() {
    const seconds = report.seconds;
    const values = (name) => seconds.map((one) => one[name]);
    const line = (name, low) => seconds.map((one) => ({ x: one.second, y: one[name] === null ? NaN : Math.max(low, one[name]), real: one[name] }));
    const levels = report.levels.map((one) => one.level);
    // A level keeps its colour, whichever was begun first.
    const order = (name) => (report.level_order.includes(name) ? report.level_order : levels).indexOf(name);
    const short = (value) => (value < 1000 ? value + " ms" : value / 1000 + " s");
    const writeLow = scaled(charts.write, [...values("write_mean_ms"), ...values("write_max_ms")], null, 0.1, short);
    charts.write.data.datasets[0].data = line("write_max_ms", writeLow);
    charts.write.data.datasets[1].data = line("write_mean_ms", writeLow);
    const aggregateLow = scaled(charts.aggregate, report.windows.map((run) => run.took_s), report.limits.aggregate_s, 0.01, (value) => value.toLocaleString("en-US") + " s");
    charts.aggregate.data.datasets = levels.flatMap((name) => levelSets(name, order(name), aggregateLow)).reverse();
    charts.delay.data.datasets[0].data = line("start_delay_max_ms", scaled(charts.delay, values("start_delay_max_ms"), report.limits.start_delay_ms, 1, short));
    const turn = report.partition_switches.length ? [["partition switch", "--faint", "up"]] : [];
    keys("write-keys", [["mean", "--write"], ["longest of each second", "--write-max"], ...turn]);
    keys("aggregate-keys", [...levels.map((name) => [name, levelColours[order(name) % levelColours.length], "dot"]),
      ...(report.windows.some((run) => run.error) ? [["failed", "--limit", "cross"]] : []), ["limit", "--limit", "dash"]]);
    keys("delay-keys", [["longest of each second", "--delay"], ["limit", "--limit", "dash"]]);
    Object.entries(charts).forEach(([id, chart]) => {
      chart.options.scales.x.max = Math.max(10, Math.ceil(report.elapsed_s));
      chart.update("none");
      byId(id).dataset.points = chart.data.datasets.reduce((sum, one, i) => sum + chart.getDatasetMeta(i).data.length, 0);
      byId(id).dataset.scale = chart.scales.y.type;
      byId(id + "-scale").textContent = chart.scales.y.type === "linear" ? "" : ", logarithmic";
    });
  }

  // While the run goes on ----------------------------------------------------------------------

  function show() {
    head();
    tables();
    fill();
  }

  let answered = new Date();

  async function ask() {
    try {
      const answer = await fetch("report.json?for=page", { cache: "no-store", signal: AbortSignal.timeout(5000) });
      if (!answer.ok) throw new Error(await answer.text());
      report = await answer.json();
    } catch (failure) {
      byId("lost").textContent = "No answer since " + answered.toTimeString().slice(0, 8) + ": millrace has ended, or this machine is busy. The page shows the last answer.";
      byId("lost").hidden = false;
      root.dataset.lost = "true";
      setTimeout(ask, 2000);
      return;
    }
    answered = new Date();
    byId("lost").hidden = true;
    delete root.dataset.lost;
    root.dataset.fetches = Number(root.dataset.fetches || 0) + 1;
    show();
    if (report.state === "running") setTimeout(ask, 1000);
    else byId("when").textContent += "; the run has ended, and this page no longer changes";
  }

  head();
  tables();
  scaleButtons();
  build();
  dark.addEventListener("change", build);
  if (root.dataset.live === "true" && report.state === "running") setTimeout(ask, 1000);
})();
