/** What the script of a form's page asks of the logic of its form (decisions §21). */
export interface Asked {
  /** Whether a question is asked, as far as it is answered before it. */
  isAsked(question: HTMLElement): boolean
  isPageAsked(page: HTMLElement): boolean
  /** What a variable comes to, 0 for a name that is none. */
  variable(name: string): number
  /** Decides anew, once the answers to some questions may be others. Returns the questions that come in or go out. */
  update(changed: readonly HTMLElement[]): HTMLElement[]
  /** Has a question asked, whatever its conditions say. */
  pin(question: HTMLElement): void
  /** What comes at the end, as long as the server has not said it. */
  end(): End | null
}

/** What comes at the end of a form; a thank-you of its own as safe HTML. */
export interface End {
  readonly thanks: string | null
  readonly redirect: string | null
}

/** How the page's own script reads its controls. */
export interface Controls {
  answerOf(question: HTMLElement): unknown
  /** What a payment comes to; null where it cannot be computed (yet). */
  priceOf(question: HTMLElement): { amount: number | null; currency: string | null }
}

/** Makes the logic of a form's page; `hidden` are the values of hidden fields. */
export type MakeLogic = (form: HTMLElement, hidden: Readonly<Record<string, string>>, controls: Controls) => Asked

/** Of a form without logic: everything is asked. */
export const everything: Asked = {
  isAsked: () => true,
  isPageAsked: () => true,
  variable: () => 0,
  update: () => [],
  pin: () => {},
  end: () => null,
}
