import { compact } from '../../../lib/assets/compact.ts' with { type: 'macro' }

/** Declarations of `:host` are marked important: those of the site could reach it otherwise. */
export const styles: string = compact(`
:host {
  all: initial !important;
  position: fixed !important;
  z-index: 2147483000 !important;
  inset-block-end: calc(var(--frontdesk-chat-bottom, 20px) + env(safe-area-inset-bottom)) !important;
  inset-inline-end: calc(20px + env(safe-area-inset-right)) !important;
  font: 16px/1.5 system-ui, sans-serif !important;
}
:host([dir="rtl"]) { direction: rtl !important }
:host([data-at="left"]) { inset-inline: auto !important; left: 20px !important }
:host([data-at="right"]) { inset-inline: auto !important; right: 20px !important }
[hidden] { display: none !important }
.open {
  position: relative;
  display: grid;
  place-items: center;
  width: 56px;
  height: 56px;
  margin: 0;
  margin-inline-start: auto;
  padding: 0;
  border: 0;
  border-radius: 50%;
  background: var(--light);
  color: #fff;
  cursor: pointer;
  box-shadow: 0 2px 6px #0003, 0 8px 24px #0003;
}
.open:focus-visible { outline: 3px solid var(--light); outline-offset: 3px; box-shadow: 0 0 0 3px #fff }
svg {
  grid-area: 1 / 1;
  width: 26px;
  fill: none;
  stroke: currentcolor;
  stroke-width: 2;
  stroke-linecap: round;
  stroke-linejoin: round;
}
:host(.is-open) .closed, :host(:not(.is-open)) .opened { opacity: 0; scale: .6 }
.badge {
  position: absolute;
  inset-block-start: -4px;
  inset-inline-end: -4px;
  min-width: 8px;
  padding: 0 5px;
  border: 2px solid #fff;
  border-radius: 11px;
  background: #c4122f;
  color: #fff;
  font: 600 12px/18px system-ui, sans-serif;
  text-align: center;
}
.badge:empty, :host(.is-open) .badge { display: none }
.said { position: absolute; width: 1px; height: 1px; clip-path: inset(50%) }
.panel {
  position: absolute;
  inset-block-end: 72px;
  inset-inline-end: 0;
  width: min(400px, 100vw - 40px);
  height: min(680px, 100vh - 112px);
  border-radius: 16px;
  overflow: hidden;
  background: Canvas;
  color-scheme: light dark;
  box-shadow: 0 0 0 1px #0002, 0 16px 48px -8px #0006;
}
:host([data-at="left"]) .panel { inset-inline: auto; left: 0 }
:host([data-at="right"]) .panel { inset-inline: auto; right: 0 }
iframe { display: block; width: 100%; height: 100%; border: 0; color-scheme: normal }
@media (max-width: 480px), (max-height: 420px) {
  :host(.is-open) .open { display: none }
  .panel, :host([data-at]) .panel {
    position: fixed;
    inset: 0 0 auto;
    width: auto;
    height: var(--height, 100dvh);
    box-sizing: border-box;
    padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom) env(safe-area-inset-left);
    border-radius: 0;
  }
}
@media (prefers-color-scheme: dark) {
  .open { background: var(--dark); color: #15151f }
  .open:focus-visible { outline-color: var(--dark); box-shadow: 0 0 0 3px #15151f }
  .panel { box-shadow: 0 0 0 1px #fff2, 0 16px 48px -8px #000 }
}
@media (forced-colors: active) { .open { border: 2px solid } }
@media (prefers-reduced-motion: no-preference) {
  svg { transition: opacity .15s, scale .15s }
  .open { transition: scale .15s }
  .open:hover { scale: 1.05 }
  :host(.is-open) .panel { animation: rise .2s }
  @keyframes rise { from { opacity: 0; translate: 0 12px } }
}
`)
