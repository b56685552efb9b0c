export const howToGetChromium: string
export function findChromium(): Promise<string | undefined>
