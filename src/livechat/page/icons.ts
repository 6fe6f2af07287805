import { icons as formIcons, lineIcon } from '../../hosted/page/icons.ts'

/** Line drawings after Feather (MIT); decoration, what they are for is said beside them. */
export const icons = {
  cross: formIcons.cross,
  attach: lineIcon(
    'M21.44 11.05l-9.19 9.19a6 6 0 0 1-8.49-8.49l9.19-9.19a4 4 0 0 1 5.66 5.66l-9.2 9.19a2 2 0 0 1-2.83-2.83l8.49-8.48',
  ),
  back: lineIcon('M15 18l-6-6 6-6'),
  down: formIcons.down,
  send: lineIcon('M12 19V5M5 12l7-7 7 7'),
}
