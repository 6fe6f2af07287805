/** How the content of an article is written. */
export const articleFormats = ['markdown', 'html', 'text'] as const
