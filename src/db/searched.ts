/* What the engines are asked to look for in texts. */

/** The articles of a source as they are written, where `language` is '', or their translations into one language. */
export interface ArticlesOf {
  readonly sourceId: string
  readonly language: string
}

/** A word to find in articles: letters, digits and the marks on them. */
export interface SearchedWord {
  readonly word: string
  /** Whether it is the beginning of words, instead of a whole one. */
  readonly isBeginning: boolean
  /** Whether it is looked for in titles alone. */
  readonly isInTitle: boolean
  /** What a hit counts, against those of other words. */
  readonly weight: number
}

/** Which of the messages found are wanted: placeholders, or values. */
export interface MessagesWanted {
  readonly tenantId: unknown
  /** As `messageSearch` wrote it. */
  readonly search: unknown
  /** Only those of a lower number. */
  readonly before: unknown
  /** At most so many, the newest. */
  readonly most: unknown
}
