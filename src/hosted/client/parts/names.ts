/**
 * The parts of a form page's script that have scripts of their own: `/f/assets/{name}.js`. The page names those that it
 * cannot begin without; the others come when they are needed (`loading.ts`).
 */
export type PartName = FirstPart | 'files' | 'signature' | 'ranking' | 'checkout' | 'later' | 'languages'

/** Parts without which the page's own script does not begin. */
export const firstParts = ['logic', 'payment', 'steps'] as const

export type FirstPart = (typeof firstParts)[number]
