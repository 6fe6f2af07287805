import type { FormContent } from '../pages.ts'

/** The most languages that a form has beside its own. */
export const MAX_LANGUAGES = 50

/** What a form says that can be said in another language: what it asks, and what its settings say. */
export interface Translatable extends FormContent {
  /** Sanitised simple HTML, shown at the end; null for our words. */
  readonly thanks: string | null
}

/** One text of a form, where it stands. */
export interface TextPlace {
  /** As people name it: `title`, `page3.title`, `q11.text`, `q11.options[0]`. */
  readonly key: string
  /** The list that a label is one of, `q11.options`; null for a text that stands by itself. */
  readonly list: string | null
  /** What the form itself says. */
  readonly base: string
  readonly kind: TextKind
}

/** `title` and `label` are plain text, `html` is sanitised simple HTML. */
export type TextKind = 'title' | 'html' | 'label'

/** A text in another language. */
export interface StoredText {
  readonly text: string
  /** What the form said when it was translated: `markOf`. */
  readonly of: string
}

/** The texts of one language, by `storedKey`. */
export type FormTexts = Readonly<Record<string, StoredText>>

/**
 * What a text is kept under. A label goes with what it translates and not with its place, so that options can be put in
 * another order, and none is ever shown in the words of another.
 */
export function storedKey({ key, list, base }: TextPlace): string {
  return list === null ? key : `${list}=${base.trim()}`
}

/** A mark of a text, by which it is known whether it has changed. */
export function markOf(base: string): string {
  return Bun.hash(base).toString(36)
}
