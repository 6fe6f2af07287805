import { setDefaultTimeout } from 'bun:test'
import { LIMIT } from './patience.ts'

// For a file that somebody runs by hand; runs of several say it themselves, as Bun forgets it after the first.
setDefaultTimeout(LIMIT)
