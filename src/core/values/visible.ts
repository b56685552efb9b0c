/** Marks without a shape, which could hide or turn text around, and the tags of U+E0000, which only programs see. */
const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u2060-\u2064\ufeff\u{e0000}-\u{e007f}]+/gu

/** Text without marks that have no shape. */
export const visible = (text: string): string => text.replace(invisible, '')
