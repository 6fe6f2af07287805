import { fileKinds } from '../files/names.ts'

/** What a data folder holds beside the database; a backup has it too. */
export const FOLDERS = [...fileKinds, 'outbox'] as const

/** Ends the names of files that are still being written: no record speaks of them, and a backup leaves them out. */
export const UNFINISHED = '.part'

/** Files on their way to a store elsewhere: in the data folder for as long as that takes. */
export const RECEIVING = 'receiving'

/** The database file inside the data folder. */
export const DATABASE_FILE = 'frontdesk.db'
/** Endings of what SQLite keeps beside a database while it is open. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const
export const DATABASE_COMPANIONS = COMPANIONS.map((ending) => DATABASE_FILE + ending)

/** Locked while the data folder is served. */
export const LOCK_FILE = 'frontdesk.lock'

/** Holds the key that secrets are sealed with, unless FRONTDESK_SECRET_KEY says it. */
export const KEY_FILE = 'secret.key'

/** The last member of a backup: names every other, with its size and SHA-256. */
export const MANIFEST = 'manifest.json'
