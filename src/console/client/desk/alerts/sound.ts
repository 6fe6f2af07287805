/** Two short notes, in hertz, and how long each is, in seconds. */
const NOTES = [880, 1174.66]
const LENGTH = 0.14
const VOLUME = 0.12

let context: AudioContext | undefined

/** Makes a short sound, where the browser lets a page that nobody has pressed anything on. */
export function playSound(): void {
  context ??= new AudioContext()
  const { destination } = context
  void context.resume()
  for (const [index, frequency] of NOTES.entries()) {
    const begin = context.currentTime + index * LENGTH
    const gain = new GainNode(context, { gain: 0 })
    gain.gain.setValueAtTime(VOLUME, begin)
    gain.gain.exponentialRampToValueAtTime(0.001, begin + LENGTH)
    const note = new OscillatorNode(context, { frequency })
    note.connect(gain).connect(destination)
    note.start(begin)
    note.stop(begin + LENGTH)
  }
}
