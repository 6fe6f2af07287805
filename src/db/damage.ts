/** Whether the error says that what the database has on the disk is not what it wrote there; of either engine. */
export function isDamage(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code)
  // data_corrupted, index_corrupted
  return code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB') || code === 'XX001' || code === 'XX002'
}

/**
 * Remembers that a database was found damaged, by the first query that met it: that other pages can be read does not make it whole.
 * It stays so until the process ends, since damage does not heal by itself.
 */
export class DamageFound {
  #first: string | null = null

  /** Remembers the error where it is one of damage, or stands for one. */
  note(error: unknown): void {
    const { cause = error } = (error ?? {}) as { cause?: unknown }
    if (isDamage(cause)) this.#first ??= (cause as Error).message
  }

  /** In words for an administrator, or null while none was met. */
  get said(): string | null {
    return this.#first === null ? null : `the database is damaged (${this.#first}): see frontdesk check`
  }
}
