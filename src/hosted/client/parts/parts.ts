import type { Fault } from '../answering/checks.ts'
import type { Asked, MakeLogic } from '../progress/asked.ts'
import type { Memory } from '../progress/memory.ts'
import type { Outcome } from '../progress/sending.ts'

/** What each part of the page's script (`names.ts`) gives to it. */
export interface Parts {
  readonly logic: MakeLogic
  readonly steps: (form: HTMLElement, steps: Steps) => void
  readonly files: (question: HTMLElement, path: string, complain: (fault: Fault | null) => void) => void
  /** What `beforeSave` sends has to be there before the answers are; it resolves with a sentence for people when it is not. */
  readonly signature: (question: HTMLElement, path: string) => { beforeSave(): Promise<string | null> }
  readonly ranking: (question: HTMLElement) => void
  readonly payment: (form: HTMLElement, asked: Asked) => Payment
  readonly checkout: (path: string) => Checkout
  readonly later: (form: HTMLFormElement, open: HTMLElement, memory: Memory, save: () => Promise<Outcome>) => void
  readonly languages: (
    form: HTMLElement,
    carry: () => void,
    refuse: (question: HTMLElement, fault: Fault) => void,
  ) => void
}

export interface Steps {
  /** The question that shows; none where a page has only its title. */
  question(): HTMLElement | undefined
  proceed(): void
  goBack(): void
}

/** What there is to pay. */
export interface Payment {
  /** Shows what each formula comes to, and on the last page what is due. */
  show(isLast: boolean): void
  /** What a payment comes to, in the smallest unit of its currency; null where nobody says it, or it cannot be computed (yet). */
  priceOf(question: HTMLElement): { amount: number | null; currency: string | null }
  /** Says what is due, and by what sentence (`how`) it is paid where nothing takes the money; '' where nothing is. */
  owed(how: string): string
}

/** A response and the token that shows whose it is. */
export interface Own {
  id: string
  resumeToken: string
}

/** What is known of a response on the way to the payment page and back. */
export interface Bought extends Own {
  redirect?: string | undefined
  /** What the form says at this end, as safe HTML. */
  thanks?: string | null | undefined
}

export interface Checkout {
  /**
   * Opens the payment page. In a frame, where it may not show, it offers a link to it. Who has paid, or turns out to have
   * nothing to pay, goes on to `redirect` where there is one.
   */
  pay(bought: Bought): Promise<void>
  /**
   * Says how it went to one who returns from there. Returns what the form says at the end that they came to, as safe HTML;
   * null where that is not known.
   */
  comeBack(): string | null
}
