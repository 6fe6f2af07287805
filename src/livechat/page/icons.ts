import { icons as formIcons, lineIcon } from '../../hosted/page/icons.ts'

/** Line drawings after Feather (MIT); decoration, what they are for is said beside them. */
export const icons = {
  cross: formIcons.cross,
  back: lineIcon('M15 18l-6-6 6-6'),
  down: formIcons.down,
  send: lineIcon('M12 19V5M5 12l7-7 7 7'),
}
