"use strict";
// Draws a sweep from the JSON that stands in the page.
(() => {
  const sweep = JSON.parse(document.getElementById("data").textContent);
  const axes = sweep.axes;
  const points = sweep.points;
  const measured = points.filter((point) => point.median_s !== undefined);
  const same = (a, b) => a !== undefined && b !== undefined && a.every((value, i) => value === b[i]);
  const byId = (id) => document.getElementById(id);

  function element(name, text, classes) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (classes) made.className = classes;
    return made;
  }

  function digits(value, count) {
    return (Math.abs(value) < 1e-6 ? 0 : Number(value.toPrecision(count))).toLocaleString("en-US", { maximumFractionDigits: 6 });
  }

  function seconds(value) {
    if (value < 60) return value.toFixed(2) + " s";
    const whole = Math.floor(value);
    const two = (number) => String(Math.floor(number)).padStart(2, "0");
    return whole < 3600
      ? Math.floor(whole / 60) + "m" + two(whole % 60) + "s"
      : Math.floor(whole / 3600) + "h" + two((whole % 3600) / 60) + "m";
  }

  function rows(value) {
    return Math.round(value).toLocaleString("en-US");
  }

  function words(values) {
    return axes.map((axis, i) => axis.name + "=" + values[i]).join(" ");
  }

  // Head ---------------------------------------------------------------------------------------

  byId("title").textContent = "Sweep: " + sweep.from + " → " + sweep.to;
  document.title = "millrace sweep " + sweep.id;
  const copies = measured.length === 0 ? 0 : Math.max(...measured.map((point) => point.copies));
  const count = measured.length === 0 ? "" : ", " + rows(measured[0].rows) + " rows each, " + copies + (copies === 1 ? " copy" : " copies") + " a setting";
  byId("when").textContent = sweep.id + ", " + sweep.started_at.slice(0, 19).replace("T", " ") + " UTC, " + points.length + " settings" + count;
  sweep.notes.forEach((note) => byId("notes").append(element("p", note)));
  (sweep.findings || ["nothing could be measured"]).forEach((line) => {
    const item = element("li");
    const parts = line.match(/^(\S+)\s\s+(.*)$/);
    if (parts) {
      item.append(element("b", parts[1]), parts[2]);
    } else {
      item.textContent = line;
    }
    byId("findings").append(item);
  });

  // Lines: one axis across, one line for each value of a second, the others held ---------------

  // Blue, orange, aqua, yellow, magenta, green, violet, red: told apart by colour-blind eyes in
  // this order; shapes of dots tell them apart once more.
  const colours = {
    light: ["#2a78d6", "#eb6834", "#1baf7a", "#eda100", "#e87ba4", "#008300", "#4a3aa7", "#e34948"],
    dark: ["#3987e5", "#d95926", "#199e70", "#c98500", "#d55181", "#008300", "#9085e9", "#e66767"],
  };
  const shapes = ["circle", "rect", "triangle", "rectRot", "star", "cross", "crossRot", "dash"];
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const best = sweep.best || points[0].values;

  function select(controls, label, options, chosen, changed) {
    const box = element("select");
    options.forEach(([value, text]) => {
      const option = element("option", text);
      option.value = value;
      option.selected = String(value) === String(chosen);
      box.append(option);
    });
    box.addEventListener("change", () => changed(box.value));
    const name = element("label", label);
    name.append(box);
    controls.append(name);
  }

  // The selects of a drawing: its axes, and what the axes that it does not show are held at.
  function controls(box, state, names, redraw) {
    box.replaceChildren();
    if (axes.length > 1) {
      names.forEach(([key, label]) => {
        const options = axes.map((axis, i) => [i, axis.name]);
        select(box, label, options, state[key], (value) => {
          const other = names.find(([name]) => name !== key)[0];
          if (Number(value) === state[other]) state[other] = state[key];
          state[key] = Number(value);
          redraw();
        });
      });
    }
    axes.forEach((axis, i) => {
      if (!names.some(([key]) => state[key] === i)) {
        const options = axis.values.map((value) => [value, value]);
        select(box, axis.name + " held at", options, state.held[i], (value) => {
          state.held[i] = value;
          redraw();
        });
      }
    });
  }

  function pointAt(held, changes) {
    const values = held.map((value, i) => (changes[i] === undefined ? value : changes[i]));
    return points.find((point) => same(point.values, values));
  }

  const longest = axes.map((axis, i) => i).sort((a, b) => axes[b].numeric - axes[a].numeric || axes[b].values.length - axes[a].values.length);
  const lineState = { x: longest[0], series: axes.length > 1 ? longest[1] : -1, held: [...best] };
  const variable = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  // The bars from the slowest to the fastest copy, behind the dots.
  const spread = {
    id: "spread",
    beforeDatasetsDraw(chart) {
      chart.data.datasets.forEach((set, i) => {
        if (!chart.isDatasetVisible(i)) return;
        const scale = chart.scales.y;
        chart.ctx.save();
        chart.ctx.strokeStyle = set.borderColor;
        chart.ctx.globalAlpha = 0.55;
        chart.ctx.lineWidth = 2;
        chart.getDatasetMeta(i).data.forEach((dot, j) => {
          const datum = set.data[j];
          chart.ctx.beginPath();
          chart.ctx.moveTo(dot.x, scale.getPixelForValue(datum.low));
          chart.ctx.lineTo(dot.x, scale.getPixelForValue(datum.high));
          chart.ctx.stroke();
        });
        chart.ctx.restore();
      });
    },
  };

  function datum(point, x) {
    return {
      x, y: point.rows_per_s, point,
      low: point.rows / point.most_s, high: point.rows / point.least_s,
    };
  }

  // From one number to itself there is no way along which a dot could stand.
  function hasLength(axis) {
    return axis.numeric && axis.numbers.length > 1;
  }

  function lineSets() {
    const across = axes[lineState.x];
    const series = lineState.series < 0 ? [undefined] : axes[lineState.series].values;
    const palette = dark.matches ? colours.dark : colours.light;
    return series.map((value, i) => {
      const data = [];
      across.values.forEach((at, j) => {
        const point = pointAt(lineState.held, { [lineState.x]: at, [lineState.series]: value });
        if (point !== undefined && point.median_s !== undefined) {
          data.push(datum(point, hasLength(across) ? across.numbers[j] : at));
        }
      });
      const colour = palette[i % palette.length];
      return {
        label: value === undefined ? "rows/s" : axes[lineState.series].name + "=" + value,
        data, borderColor: colour, backgroundColor: colour, borderWidth: 2, tension: 0,
        borderDash: i < palette.length ? [] : [6, 4],
        pointBackgroundColor: data.map((one) => (one.point.shortfall ? variable("--faint") : colour)),
        pointBorderColor: data.map((one) => (one.point.shortfall ? variable("--faint") : colour)),
        pointStyle: shapes[i % shapes.length],
        pointRadius: data.map((one) => (same(one.point.values, sweep.knee) ? 8 : 4)),
        pointHoverRadius: 8,
        clip: 16,
      };
    });
  }

  function acrossScale(axis) {
    const title = { display: true, color: variable("--soft"), text: axis.name + unitOf(axis) };
    const grid = { color: variable("--grid") };
    if (!hasLength(axis)) {
      return { type: "category", labels: axis.values, title, grid, offset: true, ticks: { color: variable("--soft") } };
    }
    const wide = axis.numbers[axis.numbers.length - 1] > 8 * axis.numbers[0];
    return {
      type: wide ? "logarithmic" : "linear", title, grid,
      min: axis.numbers[0], max: axis.numbers[axis.numbers.length - 1],
      // The values that were measured, not round numbers between them.
      afterBuildTicks(scale) {
        scale.ticks = axis.numbers.map((value) => ({ value }));
      },
      ticks: {
        color: variable("--soft"), autoSkip: false,
        callback: (value) => axis.values[axis.numbers.indexOf(value)],
      },
    };
  }

  function unitOf(axis) {
    if (!axis.numeric || !axis.name.endsWith("-unit")) return "";
    return /[0-9]$/.test(axis.values[0]) ? " (rows)" : " (bytes)";
  }

  let chart;

  function drawLines() {
    controls(byId("lines-controls"), lineState,
      axes.length > 1 ? [["x", "across"], ["series", "a line for each"]] : [["x", "across"]], drawLines);
    const across = axes[lineState.x];
    byId("lines-title").textContent = "Rows per second over " + across.name;
    byId("chart").setAttribute("aria-label", "Rows per second over " + across.name + "; the table below has the numbers");
    if (chart) chart.destroy();
    const sets = lineSets();
    chart = new Chart(byId("chart"), {
      type: "line",
      data: { datasets: sets },
      plugins: [spread],
      options: {
        animation: false, maintainAspectRatio: false, responsive: true,
        layout: { padding: { right: 24, top: 8 } },
        interaction: { mode: "nearest", intersect: false },
        plugins: {
          legend: { display: lineState.series >= 0, labels: { color: variable("--soft"), usePointStyle: true, boxHeight: 6 } },
          tooltip: { callbacks: {
            title: (items) => words(items[0].raw.point.values),
            label: (item) => rows(item.raw.y) + " rows/s, " + seconds(item.raw.point.median_s) + " (" + seconds(item.raw.point.least_s) + " to " + seconds(item.raw.point.most_s) + ")",
          } },
        },
        scales: {
          x: acrossScale(across),
          y: { beginAtZero: true, grace: "5%", suggestedMax: Math.max(0, ...sets.flatMap((set) => set.data.map((one) => one.high))), grid: { color: variable("--grid") }, ticks: { color: variable("--soft") },
            title: { display: true, color: variable("--soft"), text: "rows per second" } },
        },
      },
    });
  }

  // Heat map: two axes, a cell each ------------------------------------------------------------

  const heatState = { x: longest[0], y: axes.length > 1 ? longest[1] : -1, held: [...best] };

  function colourOf(share) {
    const [low, high] = ["--low", "--high"].map((name) => variable(name).split(",").map(Number));
    return low.map((value, i) => Math.round(value + (high[i] - value) * share));
  }

  function inkOn(colour) {
    const [red, green, blue] = colour.map((value) => (value / 255) ** 2.2);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.25 ? "#0b0b0b" : "#ffffff";
  }

  function drawHeat() {
    if (axes.length < 2) return;
    byId("heat").hidden = false;
    controls(byId("heat-controls"), heatState, [["x", "across"], ["y", "down"]], drawHeat);
    const across = axes[heatState.x];
    const down = axes[heatState.y];
    byId("heat-title").textContent = "Rows per second by " + down.name + " and " + across.name;
    const at = (x, y) => pointAt(heatState.held, { [heatState.x]: x, [heatState.y]: y });
    const rates = down.values.flatMap((y) => across.values.map((x) => at(x, y)))
      .filter((point) => point && point.median_s !== undefined && !point.shortfall).map((point) => point.rows_per_s);
    const least = Math.min(...rates);
    const most = Math.max(...rates);
    const table = element("table", undefined, "heat");
    table.append(element("caption", "rows per second; the framed cell is the knee; across: " + across.name + unitOf(across) + ", down: " + down.name + unitOf(down)));
    const head = element("tr");
    head.append(element("th", down.name + " \\ " + across.name));
    across.values.forEach((x) => head.append(element("th", x)));
    table.append(head);
    down.values.forEach((y) => {
      const line = element("tr");
      line.append(element("th", y));
      across.values.forEach((x) => line.append(cell(at(x, y), least, most)));
      table.append(line);
    });
    byId("heat-table").replaceChildren(table);
  }

  function cell(point, least, most) {
    if (point === undefined || point.median_s === undefined) {
      const empty = element("td", "none", "empty");
      if (point && point.failure) empty.title = point.failure;
      return empty;
    }
    if (point.shortfall) {
      const left = element("td", rows(point.rows_per_s), "empty");
      left.title = words(point.values) + ": " + point.shortfall;
      return left;
    }
    const made = element("td", rows(point.rows_per_s), same(point.values, sweep.knee) ? "knee" : "");
    const colour = colourOf(most > least ? (point.rows_per_s - least) / (most - least) : 0.5);
    made.style.background = "rgb(" + colour.join(",") + ")";
    made.style.color = inkOn(colour);
    made.title = words(point.values) + ": " + seconds(point.median_s);
    return made;
  }

  // Tables -------------------------------------------------------------------------------------

  function tableOf(heads, lines, classes) {
    const table = element("table");
    const head = element("tr");
    heads.forEach(([text, kind]) => head.append(element("th", text, kind)));
    table.append(head);
    lines.forEach((cells, i) => {
      const line = element("tr", undefined, classes ? classes[i] : "");
      cells.forEach((text, j) => line.append(element("td", text, heads[j][1])));
      table.append(line);
    });
    return table;
  }

  function drawCosts() {
    if (!sweep.costs || sweep.costs.length === 0) return;
    byId("costs").hidden = false;
    const told = sweep.costs.filter((cost) => cost.tells);
    const others = sweep.costs.length - told.length;
    const number = (value) => (value === null ? "?" : digits(value, 3));
    const cost = (value) => (value !== null && value <= -1e-6 ? "below 0" : number(value));
    byId("costs-table").append(tableOf(
      [["cost", "name"], ["unit", "name"], ["a call"], ["± error"], ["a row"], ["± error"]],
      told.map((each) => [each.figure, each.with ? each.axis + " with " + each.with : each.axis, cost(each.per_call), number(each.per_call_error), cost(each.per_row), number(each.per_row_error)])));
    if (told.some((each) => [each.per_call, each.per_row].map(cost).includes("below 0"))) byId("costs-table").append(element("p", "below 0: no cost; the copies differ by more than it is. More rows, or more repeats, would tell."));
    if (others > 0) byId("costs-table").append(element("p", others + (others === 1 ? " counter is" : " counters are") + " left out, of which a call costs nothing, or not more than twice the error."));
  }

  function drawNumbers() {
    const heads = [...axes.map((axis) => [axis.name]), ["median"], ["fastest"], ["slowest"], ["rows/s"], ["MB/s"], ["", "text"]];
    const mark = (point) => [point.shortfall, same(point.values, sweep.best) ? "best" : "", same(point.values, sweep.knee) ? "knee" : ""].filter((word) => word).join(", ");
    const lines = points.map((point) => (point.median_s === undefined
      ? [...point.values, "", "", "", "", "", point.failure ? "failed: " + point.failure : "not measured"]
      : [...point.values, seconds(point.median_s), seconds(point.least_s), seconds(point.most_s), rows(point.rows_per_s), point.mb_per_s.toFixed(1), mark(point)]));
    byId("numbers").append(tableOf(heads, lines, points.map((point) => (same(point.values, sweep.knee) ? "knee" : point.shortfall ? "left" : ""))));
  }

  function draw() {
    drawLines();
    drawHeat();
  }

  if (measured.length === 0) {
    byId("lines").hidden = true;
  } else {
    draw();
    dark.addEventListener("change", draw);
  }
  drawCosts();
  drawNumbers();
})();
