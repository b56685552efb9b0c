import { countries } from './countries.ts'
import { documentTypes, type Issuer } from './country.ts'

/**
 * The rows of `official_document_types`, which the database numbers and titles documents by: a new title or type of a
 * country needs a migration with its row. Issued documents keep the title that they were issued with.
 */
export const officialTypeRows = () =>
  Object.values(countries).flatMap(({ code, documents: { isRegistered, numberedAs, titleOf } }) =>
    [registeredIssuer, unregisteredIssuer].flatMap((issuer) => {
      const registered = isRegistered(issuer)
      if (issuer === unregisteredIssuer && registered) return [] // the country has no such registration
      return documentTypes.map((documentType) => {
        const { officialType, series } = numberedAs({ documentType, issuer })
        return {
          country: code,
          registered,
          document_type: documentType,
          official_type: officialType,
          series,
          title_en: titleOf({ documentType, issuer, language: 'en' }),
          title_he: titleOf({ documentType, issuer, language: 'he' }),
        }
      })
    }),
  )

const unregisteredIssuer: Issuer = { name: '', registrationNumber: null, taxNumber: null, address: null }
const registeredIssuer: Issuer = { ...unregisteredIssuer, taxNumber: '1' }
