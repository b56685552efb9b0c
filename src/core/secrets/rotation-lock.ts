/** The lock of whatever replaces keys: a rotation, or the start without a lost key. */
export const rotationLock = "hashtextextended('kontor secrets rotate', 0)"
