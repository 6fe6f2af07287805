/** What came of asking the service. */
export type Answer<T> =
  | { readonly kind: 'ok'; readonly body: T }
  /** Nothing came, or nothing to go by: it may be asked again after `wait` milliseconds. */
  | { readonly kind: 'unreachable'; readonly isBusy: boolean; readonly wait: number }
  /** The token is not known (any more). */
  | { readonly kind: 'stranger' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly message: string }
