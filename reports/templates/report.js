"use strict";
(() => {
  const bar = document.getElementById("filters");
  if (!bar) return;
  const selects = [...bar.querySelectorAll("select")];
  const status = document.getElementById("filter-status");
  const findings = [...document.querySelectorAll("[data-finding]")];
  const groups = [...document.querySelectorAll("[data-group]")];
  const full = findings.filter((item) => item.tagName === "DETAILS");
  bar.hidden = false;
  // Headings stay visible below the bar, however high it is.
  const measure = () => document.documentElement.style.setProperty("--bar", `${bar.offsetHeight}px`);
  measure();
  if (window.ResizeObserver) new ResizeObserver(measure).observe(bar);

  const apply = () => {
    const wanted = selects.filter((select) => select.value !== "");
    let shown = 0;
    for (const item of findings) {
      const fits = wanted.every((select) => item.dataset[select.name] === select.value);
      item.hidden = !fits;
      if (fits) shown += 1;
    }
    for (const group of groups) {
      group.hidden = wanted.length > 0 && !group.querySelector("[data-finding]:not([hidden])");
    }
    const all = findings.length.toLocaleString("en");
    status.textContent = wanted.length
      ? `${shown.toLocaleString("en")} of ${all} findings on this page are shown`
      : `All ${all} findings on this page are shown`;
  };
  const open = (whether) => {
    for (const item of full) if (!item.hidden) item.open = whether;
  };

  for (const select of selects) select.addEventListener("change", apply);
  document.getElementById("filter-reset").addEventListener("click", () => {
    for (const select of selects) select.value = "";
    apply();
  });
  document.getElementById("expand-all").addEventListener("click", () => open(true));
  document.getElementById("collapse-all").addEventListener("click", () => open(false));
  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") target.open = true;
  };
  window.addEventListener("hashchange", follow);
  follow();
  apply();

  // Paper shows everything: what is folded on the screen is unfolded for the printer.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const item of folded) item.open = true;
  });
  window.addEventListener("afterprint", () => {
    for (const item of folded) item.open = false;
  });
})();
