/**
 * The parts of a form page's script that have scripts of their own: `/f/assets/{name}.js`. The page names those that it
 * cannot begin without; the others come when they are needed (`loading.ts`).
 */
export const partNames = [
  'logic',
  'steps',
  'files',
  'signature',
  'ranking',
  'payment',
  'checkout',
  'later',
  'languages',
] as const

export type PartName = (typeof partNames)[number]
