import { type Chatter, joinIn } from '../bench/chat.ts'

const AT_ONCE = 20

/** Visitors with open chats, of whom one now and then leaves and another comes. */
export class Chats {
  private readonly present: Chatter[] = []
  private came = 0

  constructor(private readonly chat: string) {}

  /** Has so many come. */
  async fill(count: number): Promise<void> {
    while (this.present.length < count) {
      const next = Array.from({ length: Math.min(AT_ONCE, count - this.present.length) }, () => this.come())
      await Promise.all(next)
    }
  }

  private async come(): Promise<void> {
    this.present.push(await joinIn(this.chat, this.came++))
  }

  /** Somebody who is there. */
  someone(): Chatter {
    const one = this.present[Math.floor(Math.random() * this.present.length)]
    if (!one) throw new Error('nobody is there')
    return one
  }

  /** Whoever has been there longest leaves, and another comes. */
  async replaceOne(): Promise<void> {
    this.present.shift()?.socket.close()
    await this.come()
  }

  async leave(): Promise<void> {
    const closed = this.present.splice(0).map(
      ({ socket }) =>
        new Promise<void>((resolve) => {
          if (socket.readyState === WebSocket.CLOSED) return resolve()
          socket.onclose = () => resolve()
          socket.close()
        }),
    )
    await Promise.all(closed)
  }

  /** How many sockets the service has closed, which nobody asked it to. */
  cut(): number {
    return this.present.filter(({ socket }) => socket.readyState !== WebSocket.OPEN).length
  }
}
