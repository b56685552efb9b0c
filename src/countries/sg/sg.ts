import type { Country } from '../country.ts'

export const sg: Country = { code: 'SG', currency: 'SGD', timezone: 'Asia/Singapore', language: 'en' }
