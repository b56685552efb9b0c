/** Where the logo of an organization is shown; another logo has another address, so that browsers may keep it. */
export const logoUrl = (organizationId: string, logoFileId: string): string =>
  `/api/organizations/${organizationId}/logo?v=${logoFileId}`
