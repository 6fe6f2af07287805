import { fileKinds } from '../kinds/files.ts'

/** What a data folder holds beside the database; a backup has it too. */
export const FOLDERS = [...fileKinds, 'outbox'] as const

/** Ends the names of files that are still being written: no record speaks of them, and a backup leaves them out. */
export const UNFINISHED = '.part'

/** The database file inside the data folder. */
export const DATABASE_FILE = 'frontdesk.db'
/** Endings of what SQLite keeps beside a database while it is open. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const
export const DATABASE_COMPANIONS = COMPANIONS.map((ending) => DATABASE_FILE + ending)

/** In a backup: the dump of a database that a server keeps, which is never in the folder. */
export const DUMP_FILE = 'database.dump'

/** Locked while the data folder is served. */
export const LOCK_FILE = 'frontdesk.lock'
/** Locked by those that answer requests beside whoever serves the data folder, while one service follows another. */
export const GUESTS_FILE = 'frontdesk.guests'

/** Locked while a backup is made of the data folder by itself. */
export const BACKUP_LOCK = 'backup.lock'

/** Folder of backups that were made before a database was migrated; and the one where backups go, of those made there. */
export const UPGRADE_BACKUPS = 'backups'
export const BEFORE_UPGRADES = 'before-upgrades'

/** Holds the key that secrets are sealed with, unless FRONTDESK_SECRET_KEY says it. */
export const KEY_FILE = 'secret.key'

/** Says which installation a data folder, or a store of files, belongs to (decisions §11). */
export const MARK_FILE = 'installation.id'

/** Says since when the audit log's chains are sealed with the installation's key. */
export const AUDIT_FILE = 'audit.keyed'

/** In a store of files: what a sweep took away, for as long as it can be fetched back. */
export const TRASH = 'trash'

/** Where the service that runs on the data folder is reached, for commands beside it. */
export const ADDRESS_FILE = 'address'

/** The last member of a backup: names every other, with its size and SHA-256. */
export const MANIFEST = 'manifest.json'
