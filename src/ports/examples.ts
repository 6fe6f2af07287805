/** What "Try it out" is filled in with where the document knows more than the shape of things. */
export interface Examples {
  /** Ids, by the word before them in a path, and by the name of the filter that takes them. */
  readonly ids: Readonly<Record<string, string>>
  /** Bodies, by operationId. */
  readonly bodies: Readonly<Record<string, unknown>>
  /** Of the visitor who has the conversation among `ids`: "Try it out" is signed in with it. */
  readonly visitorToken: string | null
}
