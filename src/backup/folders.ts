/** What a data folder holds beside the database; a backup has it too. */
export const FOLDERS = ['uploads', 'outbox'] as const

/** Ends the names of files that are still being written: no record speaks of them, and a backup leaves them out. */
export const UNFINISHED = '.part'
