let d = -1 / 0;
function h(e, r) {
  window.posableViewers?.[r] || performance.now() - d < 3e3 || (d = performance.now(), e.send({ wants: r }));
}
function v({ model: e, el: r }) {
  const o = document.createElement("div");
  o.style.cssText = `height: ${Number(e.get("height"))}px; border-radius: 8px; overflow: hidden; background: #1b1e24`, r.append(o);
  let n = null, t = null, i = !1;
  const l = () => {
    t && (i = !0, e.set("goals", t.goals()), e.set("pose", Array.from(t.pose)), e.set("status", t.status), i = !1, e.save_changes());
  }, a = () => {
    !i && t && !t.dragging && t.stand(e.get("pose"));
  }, c = (s) => {
    const p = n?.contentWindow?.posableLive;
    if (!(!n || t || !e.get("live"))) {
      if (!p) return void (s && setTimeout(c, 50, s - 1));
      t = p, t.stand(e.get("pose")), t.onChange = l;
    }
  }, w = () => {
    n || (h(e, e.get("key")), n = document.createElement("iframe"), n.title = "a posable figure", n.style.cssText = "width: 100%; height: 100%; border: 0", n.srcdoc = e.get("page"), n.addEventListener("load", () => c(1200)), o.append(n));
  }, f = () => {
    n?.remove(), n = t = null;
  }, u = (s) => {
    s.viewer && s.key && ((window.posableViewers ??= {})[s.key] = s.viewer);
  }, g = new IntersectionObserver(([s]) => s?.isIntersecting ? w() : f(), { rootMargin: "200px" });
  return g.observe(o), e.on("msg:custom", u), e.on("change:pose", a), () => {
    g.disconnect(), f(), e.off("msg:custom", u), e.off("change:pose", a);
  };
}
const b = { render: v };
export {
  b as default
};
