const at = document.currentScript.parentElement, values = JSON.parse(at.dataset.state), heard = {};
const told = (name, ...args) => (heard[name] || []).forEach(f => f(...args));
const model = {
  get: name => values[name],
  set(name, value) { if (values[name] !== value) { values[name] = value; told('change:' + name, model, value); told('change', model); } },
  save_changes() {},
  send() {},
  on(names, f) { names.split(' ').forEach(n => (heard[n] ||= []).push(f)); },
  off(name, f) { if (name) heard[name] = (heard[name] || []).filter(g => f && g !== f); },
};
import('data:text/javascript;charset=utf-8,' + encodeURIComponent(values._esm)).then(async m => {
  const widget = typeof m.default === 'function' ? await m.default() : m.default, el = document.createElement('div');
  await widget.initialize?.({ model });
  await (widget.render || m.render)({ model, el });
  const style = document.createElement('style');
  style.textContent = values._css || '';
  at.replaceChildren(style, el);
}).catch(e => { at.title = String(e); });
