/** Whether the error says that what the database has on the disk is not what it wrote there; of either engine. */
export function isDamage(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code)
  // data_corrupted, index_corrupted
  return code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB') || code === 'XX001' || code === 'XX002'
}

/**
 * Remembers that a database was found damaged, by whatever met it: a look at a healthy page says nothing of the others.
 * It stays so until the process ends, since a damage does not go by itself.
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
