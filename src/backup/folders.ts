/** What a data folder holds beside the database; a backup has it too. */
export const FOLDERS = ['uploads', 'outbox'] as const
