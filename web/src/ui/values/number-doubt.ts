/** Doubts about numbers, by the code of the server's warning. */
const doubts: Record<string, string> = {
  REGISTRATION_NUMBER: 'מספר הרישום אינו נראה תקין. השוו אותו לתעודה.',
  TAX_NUMBER: 'מספר העוסק אינו נראה תקין. השוו אותו לתעודה.',
}
export const numberDoubt = (lang: 'en' | 'he', { code, message }: { code: string; message: string }): string =>
  (lang === 'he' && doubts[code]) || message
