/** All that have no place in text: of ASCII those but tabs and line breaks, and the further ones of Unicode. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/

/** Tells, as content comes in, whether all of it is UTF-8 text without control characters. */
export class TextCheck {
  #isText = true
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })

  add(chunk: Uint8Array): void {
    if (this.#isText) this.#look(() => this.#decoder.decode(chunk, { stream: true }))
  }

  /** After the last of it. */
  end(): boolean {
    if (this.#isText) this.#look(() => this.#decoder.decode())
    return this.#isText
  }

  #look(decode: () => string): void {
    try {
      this.#isText = !CONTROL.test(decode())
    } catch {
      // Only the decoder throws here, and only for what is no UTF-8.
      this.#isText = false
    }
  }
}
