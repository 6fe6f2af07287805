import { styleSheet as helpStyleSheet } from '../help/styles.ts'
import guide from './guide.css' with { type: 'text' }

/** The style sheet of the guide: help centres have prose, a search and what it found as well. */
export const styleSheet = [helpStyleSheet, guide].join('\n')

/** Another one whenever the style sheet changes, for its address. */
export const styleVersion = new Bun.CryptoHasher('sha256').update(styleSheet).digest('hex').slice(0, 12)
