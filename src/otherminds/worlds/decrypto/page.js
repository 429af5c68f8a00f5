"use strict";

(() => {
  for (const choice of document.querySelectorAll("input[name=look]")) {
    choice.onchange = () => document.body.classList.toggle("is-eve", choice.value === "eve" && choice.checked);
  }
})();
