/** Three living companies. Everything here is made up; numbers are of the right form and end in no real account. */
export const companies = [
  {
    organization: {
      name: 'Galil Coffee Roasters Ltd', country: 'IL', registrationNumber: '514876325', taxNumber: '514876325',
      address: '12 HaGalil St, Rosh Pina', email: 'office@galil-coffee.test', phone: '+972 4 555 0132',
    },
    bankAccounts: [
      { accountName: 'Operating account', bankName: 'Bank Leumi', currencies: ['ILS'], isDefault: true, iban: 'IL620108000000099999999', swiftCode: 'LUMIILIT', localBankCode: '10', branchCode: '800', accountNumber: '99999999', bankCountry: 'IL' },
      { accountName: 'Dollar account', bankName: 'Bank Hapoalim', currencies: ['USD', 'EUR'], isDefault: false, iban: 'IL590126000000012345678', swiftCode: 'POALILIT', bankCountry: 'IL' },
    ],
    customers: [
      { name: 'מסעדת הנמל', country: 'IL', email: 'orders@hanamal.test', registrationNumber: '513902882', defaultCurrencies: ['ILS'], address: 'נמל יפו 8, תל אביב', recipients: ['accounts@hanamal.test'] },
      { name: 'בית קפה לילך', country: 'IL', email: 'lilach@cafe-lilach.test', defaultCurrencies: ['ILS'], phone: '+972 3 555 0181' },
      { name: 'Hotel Carmel View', country: 'IL', email: 'purchasing@carmelview.test', registrationNumber: '511223349', defaultCurrencies: ['ILS', 'USD'], recipients: ['purchasing@carmelview.test', 'ap@carmelview.test'] },
      { name: 'Berlin Bean Import GmbH', country: 'DE', email: 'hallo@berlinbean.test', defaultCurrencies: ['EUR'], address: 'Sonnenallee 44, 12045 Berlin' },
      { name: 'נועה ברק', country: 'IL', kind: 'INDIVIDUAL', email: 'noa.barak@mail.test', defaultCurrencies: ['ILS'] },
      { name: 'קיבוץ עין השופט', country: 'IL', email: 'kitchen@ein-hashofet.test', registrationNumber: '570001230', defaultCurrencies: ['ILS'] },
    ],
  },
  {
    organization: {
      name: 'Straits Design Studio Pte. Ltd.', country: 'SG', registrationNumber: '201812345M', taxNumber: 'M90312345A',
      address: '71 Ayer Rajah Crescent, #05-14, Singapore 139951', email: 'studio@straits-design.test', phone: '+65 6555 0147',
    },
    bankAccounts: [
      { accountName: 'SGD current account', bankName: 'DBS Bank', currencies: ['SGD'], isDefault: true, swiftCode: 'DBSSSGSG', localBankCode: '7171', branchCode: '001', accountNumber: '0012345678', bankCountry: 'SG' },
      { accountName: 'USD account', bankName: 'OCBC Bank', currencies: ['USD'], isDefault: false, swiftCode: 'OCBCSGSG', accountNumber: '501234567001', bankCountry: 'SG' },
    ],
    customers: [
      { name: 'Kampong Glam Hotels Pte. Ltd.', country: 'SG', email: 'finance@kgh.test', registrationNumber: '199904567G', defaultCurrencies: ['SGD'], recipients: ['finance@kgh.test', 'gm@kgh.test'] },
      { name: 'Merlion Fintech Pte. Ltd.', country: 'SG', email: 'ap@merlionfintech.test', registrationNumber: '202055512H', defaultCurrencies: ['SGD', 'USD'] },
      { name: 'Borneo Outfitters Sdn. Bhd.', country: 'MY', email: 'accounts@borneo-outfitters.test', defaultCurrencies: ['MYR', 'SGD'] },
      { name: 'Tan Wei Ling', country: 'SG', kind: 'INDIVIDUAL', email: 'weiling.tan@mail.test', defaultCurrencies: ['SGD'] },
      { name: 'Harbourfront Museum', country: 'SG', email: 'procurement@hfmuseum.test', defaultCurrencies: ['SGD'], notes: 'Purchase order number on every invoice.' },
      { name: 'Cedar & Main LLC', country: 'US', email: 'hello@cedar-main.test', registrationNumber: '84-1234567', defaultCurrencies: ['USD'] },
    ],
  },
  {
    organization: {
      name: 'Cedar & Main LLC', country: 'US', timezone: 'America/Chicago', registrationNumber: '84-1234567', taxNumber: '84-1234567',
      address: '208 W Main St, Madison, WI 53703', email: 'hello@cedar-main.test', phone: '+1 608 555 0119',
    },
    bankAccounts: [
      { accountName: 'Business checking', bankName: 'Chase', currencies: ['USD'], isDefault: true, routingNumber: '021000021', swiftCode: 'CHASUS33', accountNumber: '000123456789', bankCountry: 'US' },
    ],
    customers: [
      { name: 'Lakeshore Dental Group', country: 'US', email: 'billing@lakeshore-dental.test', defaultCurrencies: ['USD'], recipients: ['billing@lakeshore-dental.test'] },
      { name: 'Prairie Wind Farms Inc.', country: 'US', email: 'ap@prairiewind.test', registrationNumber: '39-7654321', defaultCurrencies: ['USD'] },
      { name: 'Straits Design Studio Pte. Ltd.', country: 'SG', email: 'studio@straits-design.test', registrationNumber: '201812345M', defaultCurrencies: ['USD', 'SGD'] },
      { name: 'Maple Street Bakery', country: 'US', email: 'owner@maplestreet.test', phone: '+1 608 555 0164', defaultCurrencies: ['USD'] },
      { name: 'Jordan Ellis', country: 'US', kind: 'INDIVIDUAL', email: 'jordan.ellis@mail.test', defaultCurrencies: ['USD'] },
    ],
  },
] as const // biome-ignore format: a table of companies
