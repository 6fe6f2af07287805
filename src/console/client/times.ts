/** Times are written in UTC, by a server that does not know where its readers are: they become the reader's own. */
export function showTimes(within: ParentNode): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
  // A day without a time is that day everywhere.
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-time="moment"]')) {
    time.title = time.textContent ?? ''
    time.textContent = format.format(new Date(time.dateTime))
  }
  const clock = new Intl.DateTimeFormat(document.documentElement.lang, { timeStyle: 'short' })
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-time="clock"]')) {
    time.title = format.format(new Date(time.dateTime))
    time.textContent = clock.format(new Date(time.dateTime))
  }
  // How long ago something was says nothing of when.
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-time="ago"]')) {
    time.title = format.format(new Date(time.dateTime))
  }
}
