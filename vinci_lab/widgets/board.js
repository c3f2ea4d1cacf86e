// The board: draws what Python sends, and tells what somebody does with its regions. It holds no rules.
// One scene per model: the parts of the picture. Views are rebuilt from it, so that any number of them agree.

const SVG = "http://www.w3.org/2000/svg";
const scenes = new WeakMap();
let viewsMade = 0;

// Pictures ------------------------------------------------------------------------------------------------------------

/** Parse a picture and take out all that could run or load something. */
function parse(text) {
  const root = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (root.localName !== "svg") throw new Error("the picture cannot be read");
  for (const node of [root, ...root.querySelectorAll("*")]) {
    if (/^(script|foreignobject|iframe|image)$/i.test(node.localName)) {
      node.remove();
      continue;
    }
    for (const { name, value } of [...node.attributes]) {
      const leadsAway = /(^|:)href$/i.test(name) && !value.startsWith("#");
      if (/^on/i.test(name) || leadsAway) node.removeAttribute(name);
    }
  }
  return root;
}

/** Give every element with a title its words as data, so that they are shown at once and in one place. */
function takeTitles(node) {
  for (const title of [...node.querySelectorAll("title")]) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
}

/** The scene of a model: what it shows, kept up to date by whole pictures and by patches. */
function sceneOf(model) {
  let scene = scenes.get(model);
  if (scene) return scene;
  scene = { svg: model.get("svg"), version: model.get("version"), patch: {}, views: new Set() };
  scenes.set(model, scene);
  model.on("change:svg", () => {
    scene.svg = model.get("svg");
    scene.version = model.get("version");
    scene.patch = {};
    for (const view of scene.views) view.build();
  });
  model.on("msg:custom", (message) => {
    if (message?.kind !== "patch") return;
    if (message.from !== scene.version) {
      model.send({ event: "lost", version: scene.version });
      return;
    }
    scene.version = message.to;
    Object.assign(scene.patch, message.parts);
    for (const view of scene.views) view.patch(message.parts);
  });
  model.send({ event: "lost", version: scene.version }); // a patch may have gone by before anybody listened
  return scene;
}

// A view --------------------------------------------------------------------------------------------------------------

class View {
  constructor(model, host) {
    this.model = model;
    this.scene = sceneOf(model);
    this.suffix = `-${(viewsMade += 1)}`;
    this.regions = new Map();
    this.names = new Set();
    this.pointed = null;
    this.focused = null;
    this.stopping = new AbortController();

    this.root = element("div", "vb-board");
    this.root.dataset.board = model.get("board_name");
    keepKeys(this.root);
    this.stage = element("div", "vb-stage");
    this.tip = element("div", "vb-tip");
    this.tip.setAttribute("role", "tooltip");
    if ("popover" in this.tip) this.tip.popover = "manual"; // above everything, whatever the boxes around cut off
    this.tip.hidden = true;
    this.said = element("div", "vb-said");
    this.said.setAttribute("role", "status");
    this.root.append(this.stage, this.tip, this.said);
    host.append(this.root);
    this.listen();
    this.build();
    this.say();
    this.scene.views.add(this);
  }

  // Drawing

  /** Make ids belong to this view alone. */
  own(text) {
    return this.name ? text.replaceAll(this.name, this.name + this.suffix) : text;
  }

  build() {
    const text = this.scene.svg;
    this.stage.replaceChildren();
    if (!text) return;
    this.name = /<svg[^>]*\sid="([\w-]+)"/.exec(text)?.[1] ?? "";
    const svg = document.importNode(parse(this.own(text)), true);
    this.parts = [...svg.children];
    this.svg = svg;
    const [, , width] = svg.getAttribute("viewBox").split(" ").map(Number);
    svg.style.maxWidth = `${width}px`;
    svg.removeAttribute("width");
    svg.removeAttribute("height");
    takeTitles(svg);
    this.rings = svg.appendChild(document.createElementNS(SVG, "g"));
    this.rings.setAttribute("class", "vb-rings");
    this.stage.append(svg);
    this.replace(this.scene.patch);
    this.finish();
  }

  patch(parts) {
    if (!this.svg) return;
    this.replace(parts);
    this.finish();
  }

  replace(parts) {
    const places = Object.keys(parts);
    if (!places.length) return;
    const wrapped = `<svg xmlns="${SVG}">${places.map((place) => this.own(parts[place])).join("")}</svg>`;
    const fresh = document.importNode(parse(wrapped), true);
    takeTitles(fresh);
    [...fresh.children].forEach((node, number) => {
      const place = Number(places[number]);
      this.parts[place]?.replaceWith(node);
      this.parts[place] = node;
    });
  }

  finish() {
    this.root.dataset.version = this.scene.version;
    this.mark();
  }

  say() {
    this.said.textContent = this.model.get("said");
  }

  /** Give the regions their words, marks and outlines; the focus stays where it was. */
  mark() {
    if (!this.svg) return;
    const hadFocus = this.focused;
    for (const node of this.svg.querySelectorAll("[data-region]")) undress(node);
    this.rings.replaceChildren();
    this.regions.clear();
    this.names.clear();
    const listed = this.model.get("regions") ?? [];
    this.svg.setAttribute("role", listed.length ? "group" : "img");
    if (this.model.get("label")) this.svg.setAttribute("aria-label", this.model.get("label"));
    const first = listed.find((region) => region.mark !== "cannot") ?? listed[0];
    for (const region of listed) this.dress(region, region === first);
    if (hadFocus && this.regions.has(hadFocus)) this.regions.get(hadFocus).node.focus({ preventScroll: true });
    this.showTip();
  }

  dress(region, isFirst) {
    const [name, value] = [region.key.slice(0, region.key.indexOf(":")), region.key.slice(region.key.indexOf(":") + 1)];
    const node = this.svg.querySelector(`[data-${name}="${CSS.escape(value)}"]`);
    if (!node) return;
    this.names.add(name);
    this.regions.set(region.key, { ...region, node });
    const canChoose = region.mark !== "cannot";
    node.dataset.region = region.key;
    node.dataset.mark = region.mark;
    keepKeys(node);
    node.setAttribute("role", "button");
    node.setAttribute("tabindex", isFirst || (canChoose && region.mark !== "plain") ? "0" : "-1");
    node.setAttribute("aria-label", [region.words, ...region.lines].join(". "));
    node.setAttribute("aria-disabled", String(!canChoose));
    if (region.mark !== "plain" && region.mark !== "cannot") this.ring(node, region.mark);
    if (region.badge && region.place) this.badge(region);
  }

  ring(node, looks) {
    const shape = ["use", "path", "rect", "circle", "polygon"].includes(node.localName)
      ? node
      : node.querySelector("use, path, rect, circle, polygon");
    if (!shape) return;
    const ring = shape.cloneNode(false);
    for (const name of ["class", "fill", "stroke", "style", "opacity", "clip-path", "stroke-dasharray", "stroke-width"])
      ring.removeAttribute(name);
    for (const name of ring.getAttributeNames()) if (/^(data-|aria-|role|tabindex)/.test(name)) ring.removeAttribute(name);
    ring.setAttribute("class", `vb-ring vb-${looks}`);
    const transform = node === shape ? null : node.getAttribute("transform");
    if (transform) ring.setAttribute("transform", transform);
    this.rings.append(ring);
    return ring;
  }

  badge(region) {
    const badge = document.createElementNS(SVG, "g");
    badge.setAttribute("class", `vb-badge vb-${region.mark}`);
    badge.setAttribute("transform", `translate(${region.place[0]} ${region.place[1]})`);
    const width = 9 + 7 * region.badge.length;
    const plate = document.createElementNS(SVG, "rect");
    for (const [name, number] of Object.entries({ x: -width / 2, y: -8, width, height: 16, rx: 8 }))
      plate.setAttribute(name, number);
    const words = document.createElementNS(SVG, "text");
    words.setAttribute("y", 4);
    words.textContent = region.badge;
    badge.append(plate, words);
    this.rings.append(badge);
  }

  // Pointing

  listen() {
    const on = (target, name, act) => target.addEventListener(name, act, { signal: this.stopping.signal });
    on(this.stage, "pointermove", (event) => this.point(event));
    on(this.stage, "pointerleave", () => this.point(null));
    on(this.stage, "click", (event) => {
      const region = this.regionAt(event.target);
      if (!region) return;
      region.node.focus({ preventScroll: true });
      this.tell(event.shiftKey ? "less" : "click", region.key);
    });
    on(this.stage, "contextmenu", (event) => {
      const region = this.regionAt(event.target);
      if (!region || region.mark === "plain") return;
      event.preventDefault();
      event.stopPropagation();
      this.tell("less", region.key);
    });
    on(this.stage, "focusin", (event) => this.focus(this.regionAt(event.target)));
    on(this.stage, "focusout", () => this.focus(null));
    on(document, "focusin", ({ target }) => target.closest?.(".vl-play, .vl-replay, .vl-explore") && keepKeys(target));
    on(this.root, "keydown", (event) => this.press(event));
    const { model } = this;
    const changes = { "change:regions": () => this.mark(), "change:label": () => this.mark(), "change:said": () => this.say() };
    for (const [name, act] of Object.entries(changes)) model.on(name, act);
    this.forget = () => Object.entries(changes).forEach(([name, act]) => model.off(name, act));
  }

  tell(event, region) {
    this.model.send({ event, region });
  }

  /** The region an element belongs to. */
  regionAt(node) {
    for (let at = node; at && at !== this.svg; at = at.parentNode)
      for (const name of this.names) {
        const value = at.getAttribute?.(`data-${name}`);
        if (value !== null && value !== undefined && this.regions.has(`${name}:${value}`))
          return this.regions.get(`${name}:${value}`);
      }
    return null;
  }

  point(event) {
    const region = event ? this.regionAt(event.target) : null;
    const node = event?.target.closest?.("[data-tip]");
    const key = region?.key ?? null;
    if (this.model.get("hovers") && key !== (this.pointed?.key ?? null)) this.tell(key ? "hover" : "leave", key ?? this.pointed.key);
    this.pointed = event && (region || node) ? { key, words: node?.dataset.tip, x: event.clientX, y: event.clientY } : null;
    this.showTip();
  }

  focus(region) {
    const key = region?.key ?? null;
    if (this.model.get("hovers") && key && key !== this.focused) this.tell("focus", key);
    this.focused = key;
    this.showTip();
  }

  /** Show the words of what is pointed at, else of what has the focus, and outline it. */
  showTip() {
    this.svg?.querySelector(".vb-here")?.remove();
    const keyboard = this.focused && this.regions.get(this.focused);
    const region = (this.pointed?.key && this.regions.get(this.pointed.key)) || (!this.pointed && keyboard);
    if (region) this.ring(region.node, "here")?.setAttribute("class", "vb-ring vb-here");
    const isTyping = region && region === keyboard && !region.node.matches(":focus-visible");
    const words = region ? [region.words, ...region.lines] : [this.pointed?.words].filter(Boolean);
    this.tip.hidden = !words.length || Boolean(isTyping);
    if (this.tip.popover && this.tip.isConnected && this.tip.matches(":popover-open") === this.tip.hidden)
      this.tip.togglePopover(!this.tip.hidden);
    if (this.tip.hidden) return;
    this.tip.replaceChildren(...words.map((line, number) => element(number || !region ? "div" : "strong", "", line)));
    this.tip.dataset.looks = region?.mark ?? "plain";
    this.placeTip(this.pointed ?? middle(region.node));
  }

  placeTip({ x, y }) {
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    const { clientWidth, clientHeight } = document.documentElement;
    const left = x + 16 + width > clientWidth ? x - width - 12 : x + 16;
    const top = y + 18 + height > clientHeight ? y - height - 12 : y + 18;
    this.tip.style.left = `${Math.max(0, left)}px`;
    this.tip.style.top = `${Math.max(0, top)}px`;
  }

  // Keys

  press(event) {
    const region = this.focused && this.regions.get(this.focused);
    if (!region || event.ctrlKey || event.metaKey || event.altKey) return;
    const acts = { Enter: "click", " ": "click", "+": "more", "=": "more", "-": "less" };
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (!acts[event.key] && !ways[event.key]) return;
    this.pointed = null;
    if (acts[event.key]) this.tell(acts[event.key], region.key);
    else this.walk(region, ways[event.key]);
    event.preventDefault();
    event.stopPropagation();
  }

  /** Move the focus to the nearest region on a side. */
  walk(from, [right, down]) {
    const here = middle(from.node);
    let best = null;
    let least = Infinity;
    for (const region of this.regions.values()) {
      const there = middle(region.node);
      const [dx, dy] = [there.x - here.x, there.y - here.y];
      const along = dx * right + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (along > 2 && along + 2 * aside < least) [best, least] = [region, along + 2 * aside];
    }
    best?.node.focus();
  }

  close() {
    this.stopping.abort();
    this.forget();
    this.scene.views.delete(this);
    this.root.remove();
  }
}

function element(tag, className = "", text = "") {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.textContent = text;
  return node;
}

/** Keep what is typed here from the commands of JupyterLab, which look at the element that has the focus. */
function keepKeys(node) {
  node.setAttribute("data-lm-suppress-shortcuts", "true");
}

function undress(node) {
  for (const name of ["role", "tabindex", "aria-label", "aria-disabled", "data-region", "data-mark", "data-lm-suppress-shortcuts"])
    node.removeAttribute(name);
}

function middle(node) {
  const box = node.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

export default {
  initialize({ model }) {
    sceneOf(model);
  },
  render({ model, el }) {
    const view = new View(model, el);
    return () => view.close();
  },
};
