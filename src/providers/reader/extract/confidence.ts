/** Words of the engine below this are often misread. */
export type Sure = 'high' | 'middle' | 'low'

export const sureOf = (sureness: number): Sure => (sureness >= 0.93 ? 'high' : sureness >= 0.8 ? 'middle' : 'low')
