import { styleSheet as helpStyleSheet } from '../help/styles.ts'
import { bundled } from '../lib/assets/bundled.ts' with { type: 'macro' }
import guide from './guide.css' with { type: 'text' }

/** The style sheet of the guide: help centres have prose, a search and what it found as well. */
export const styleSheet = [helpStyleSheet, guide].join('\n')

/** Puts a button beside code that copies it. Built with the program, so the executable carries it. */
export const copyScript: string = bundled('guide/client/copy')

/** Another one whenever they change, for their addresses. */
export const assetVersion = new Bun.CryptoHasher('sha256')
  .update(styleSheet)
  .update(copyScript)
  .digest('hex')
  .slice(0, 12)
