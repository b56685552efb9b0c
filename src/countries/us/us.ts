import type { Country } from '../country.ts'

export const us: Country = { code: 'US', currency: 'USD', timezone: 'America/New_York', language: 'en' }
