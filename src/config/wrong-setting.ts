/** A wrong setting, said in a sentence that names the variable. */
export class WrongSetting extends Error {}

export type Environment = Record<string, string | undefined>
