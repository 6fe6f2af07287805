/** Times are written in UTC, by a server that does not know where its readers are: they become the reader's own. */
export function showTimes(within: ParentNode): void {
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-time="moment"]')) {
    // A day without a time is that day everywhere.
    time.title = time.textContent ?? ''
    const style = { dateStyle: 'medium', timeStyle: 'short' } as const
    time.textContent = new Intl.DateTimeFormat(document.documentElement.lang, style).format(new Date(time.dateTime))
  }
}
