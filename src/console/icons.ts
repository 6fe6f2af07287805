import { trustedHtml } from '../lib/html/markup.ts'

/** Drawn with lines, 24 by 24; what they mean, the text beside them says. */
const icon = (shapes: string) => trustedHtml(`<svg viewBox="0 0 24 24" aria-hidden="true">${shapes}</svg>`)

export const icons = {
  inbox: icon('<path d="M4 13h4l2 3h4l2-3h4"/><path d="M6 5h12l2 8v6H4v-6z"/>'),
  form: icon('<rect x="5" y="3" width="14" height="18" rx="2"/><path d="M9 8h6M9 12h6M9 16h3"/>'),
  contacts: icon('<circle cx="12" cy="9" r="4"/><path d="M4 20c1-4 4.5-6 8-6s7 2 8 6"/>'),
  article: icon('<path d="M4 5c3-1 6-1 8 1 2-2 5-2 8-1v13c-3-1-6-1-8 1-2-2-5-2-8-1z"/><path d="M12 6v13"/>'),
  report: icon('<path d="M4 4v16h16"/><path d="M9 16v-4M14 16V8M19 16v-6"/>'),
  key: icon('<circle cx="8" cy="15" r="4"/><path d="M11 12l8-8M16 7l3 3"/>'),
  webhook: icon('<path d="M4 8h13M13 4l4 4-4 4M20 16H7M11 12l-4 4 4 4"/>'),
  audit: icon('<path d="M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6z"/><path d="M9 12l2 2 4-4"/>'),
  users: icon(
    '<circle cx="9" cy="9" r="3.5"/><path d="M3 19c.5-3 3-5 6-5s5.5 2 6 5"/><path d="M16 6a3 3 0 010 6M18 14c1.5.7 2.6 2.5 3 5"/>',
  ),
  settings: icon(
    '<path d="M4 7h10M18 7h2M4 17h2M10 17h10"/><circle cx="16" cy="7" r="2"/><circle cx="8" cy="17" r="2"/>',
  ),
  account: icon(
    '<circle cx="12" cy="12" r="9"/><circle cx="12" cy="10" r="3"/><path d="M6.5 18.5c1.5-2.5 3.5-3.5 5.5-3.5s4 1 5.5 3.5"/>',
  ),
  theme: icon('<circle cx="12" cy="12" r="8"/><path d="M12 4v16a8 8 0 000-16z" fill="currentcolor"/>'),
  signOut: icon('<path d="M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9"/>'),
  menu: icon('<path d="M4 7h16M4 12h16M4 17h16"/>'),
  image: icon(
    '<rect x="4" y="5" width="16" height="14" rx="2"/><circle cx="9" cy="10" r="1.5"/><path d="M5 18l5-5 3 3 3-3 4 4"/>',
  ),
  copy: icon('<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M15 9V4H4v11h5"/>'),
  up: icon('<path d="M12 19V5M6 11l6-6 6 6"/>'),
  expand: icon('<path d="M6 9l6 6 6-6"/>'),
  down: icon('<path d="M12 5v14M6 13l6 6 6-6"/>'),
  bin: icon('<path d="M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5"/>'),
  write: icon('<path d="M4 20l1-5L16 4l4 4L9 19z"/><path d="M13.5 6.5l4 4"/>'),
  plus: icon('<path d="M12 5v14M5 12h14"/>'),
  grip: icon('<path d="M9 6v.01M9 12v.01M9 18v.01M15 6v.01M15 12v.01M15 18v.01"/>'),
  undo: icon('<path d="M9 7L4 12l5 5M4 12h10a6 6 0 016 6"/>'),
  redo: icon('<path d="M15 7l5 5-5 5M20 12H10a6 6 0 00-6 6"/>'),
  chat: icon('<path d="M5 5h14v10h-8l-4 4v-4H5z"/>'),
  ban: icon('<circle cx="12" cy="12" r="8"/><path d="M6.5 6.5l11 11"/>'),
  more: icon('<path d="M5 12v.01M12 12v.01M19 12v.01"/>'),
  search: icon('<circle cx="11" cy="11" r="6"/><path d="M15.5 15.5L20 20"/>'),
  person: icon('<circle cx="12" cy="8" r="4"/><path d="M4 20c1-4 4.5-6 8-6s7 2 8 6"/>'),
  tag: icon('<path d="M4 4h8l8 8-8 8-8-8z"/><path d="M8 8v.01"/>'),
  flag: icon('<path d="M6 21V4h11l-2 4 2 4H6"/>'),
  clock: icon('<circle cx="12" cy="12" r="8"/><path d="M12 7v5l3 2"/>'),
  check: icon('<path d="M5 13l4 4L19 7"/>'),
  details: icon('<rect x="4" y="5" width="16" height="14" rx="2"/><path d="M14 5v14"/>'),
  alert: icon('<path d="M12 4l9 16H3z"/><path d="M12 10v4M12 17v.01"/>'),
  forward: icon('<path d="M9 5l7 7-7 7"/>'),
  file: icon('<path d="M6 3h8l4 4v14H6z"/><path d="M14 3v4h4M9 12h6M9 16h6"/>'),
  picture: icon(
    '<rect x="4" y="5" width="16" height="14" rx="2"/><path d="M4 16l4-4 4 4 3-3 5 5"/><path d="M15 9v.01"/>',
  ),
  media: icon('<rect x="4" y="5" width="16" height="14" rx="2"/><path d="M10 9l5 3-5 3z"/>'),
  archive: icon('<path d="M4 8h16v12H4zM3 4h18v4H3zM10 12h4"/>'),
  calendar: icon('<rect x="4" y="5" width="16" height="15" rx="2"/><path d="M4 10h16M8 3v4M16 3v4"/>'),
  merge: icon('<path d="M7 4v4c0 4 5 4 5 8v4M17 4v4c0 4-5 4-5 8M9 17l3 3 3-3"/>'),
  attach: icon(
    '<path d="M19 11l-7.5 7.5a4.5 4.5 0 01-6.4-6.4L13 4.3a3 3 0 014.3 4.3l-7.8 7.7a1.5 1.5 0 01-2.1-2.1l7-7"/>',
  ),
  canned: icon('<path d="M13 3L5 14h6l-1 7 8-11h-6z"/>'),
  back: icon('<path d="M15 5l-7 7 7 7"/>'),
} as const
