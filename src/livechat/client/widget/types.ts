/** What comes before the script, made for its source (`client-files.ts`). */
export interface WidgetSettings {
  readonly words: { readonly chat: string; readonly open: string; readonly close: string }
  /** Of the language of these words. */
  readonly direction: 'ltr' | 'rtl'
  readonly colours: { readonly light: string; readonly dark: string }
  readonly hidesButton: boolean
}

/** `window.frontdesk`, for the site. */
export interface SiteInterface {
  /** Says who its visitor is, by a token signed with the source's secret; null when they have signed out. */
  identify(identity: string | null): void
  open(): void
  close(): void
}
