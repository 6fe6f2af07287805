/** Why a mail cannot become a message, in plain words that go on from "This mail …". */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}
