// A table whose rows can be clicked, or reached with Tab and the arrows and chosen with Enter. It holds no data of its own
// and writes every cell as text, so that no name is ever taken for markup.
function render({ model, el }) {
  const box = document.createElement("div");
  box.className = "vl-rows";
  el.append(box);
  let body = null;

  function click(name, number) {
    model.set(name, { row: number, n: (model.get(name).n ?? 0) + 1 });
    model.save_changes();
  }

  function headOf(columns, numeric) {
    const row = document.createElement("tr");
    columns.forEach((words, number) => {
      const cell = document.createElement("th");
      cell.textContent = words;
      cell.scope = "col";
      if (numeric.includes(number)) cell.className = "vl-number";
      row.append(cell);
    });
    const head = document.createElement("thead");
    head.append(row);
    return head;
  }

  function bodyOf(rows, numeric) {
    const made = document.createElement("tbody");
    rows.forEach((cells, number) => {
      const row = document.createElement("tr");
      row.tabIndex = number === Math.max(model.get("selected"), 0) ? 0 : -1;
      row.dataset.row = number;
      cells.forEach((words, place) => {
        const cell = document.createElement("td");
        cell.textContent = words;
        if (numeric.includes(place)) cell.className = "vl-number";
        row.append(cell);
      });
      made.append(row);
    });
    return made;
  }

  function draw() {
    box.style.maxHeight = model.get("height");
    const table = document.createElement("table");
    const numeric = model.get("numeric");
    table.setAttribute("aria-label", model.get("label"));
    if (model.get("columns").length) table.append(headOf(model.get("columns"), numeric));
    body = bodyOf(model.get("rows"), numeric);
    table.append(body);
    box.replaceChildren(table);
    mark();
  }

  function mark() {
    const selected = model.get("selected");
    for (const row of body.children) {
      const isIt = Number(row.dataset.row) === selected;
      row.classList.toggle("vl-selected", isIt);
      row.setAttribute("aria-selected", isIt);
      if (isIt) {
        row.tabIndex = 0;
        requestAnimationFrame(() => keepInSight(row)); // it may not stand on the page yet
      }
    }
  }

  function keepInSight(row) {
    const top = row.offsetTop, bottom = top + row.offsetHeight;
    if (top < box.scrollTop + 24 || bottom > box.scrollTop + box.clientHeight)
      box.scrollTop = Math.max(top - box.clientHeight / 2, 0);
  }

  box.addEventListener("click", (event) => {
    const row = event.target.closest("tbody tr");
    if (row) click("clicked", Number(row.dataset.row));
  });
  box.addEventListener("keydown", (event) => {
    const row = event.target.closest("tbody tr");
    if (!row) return;
    const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling }[event.key];
    if (next) next.focus();
    else if (event.key === "Enter" || event.key === " ") click("clicked", Number(row.dataset.row));
    else return;
    event.preventDefault();
    event.stopPropagation(); // the notebook has its own use for these keys
  });
  for (const name of ["rows", "columns", "numeric", "height"]) model.on(`change:${name}`, draw);
  model.on("change:selected", mark);
  draw();
}

export default { render };
