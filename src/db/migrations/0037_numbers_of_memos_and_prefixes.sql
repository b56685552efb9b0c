-- Printed numbers stay different: a prefix has only characters that are seen, and the prefixes of one series cannot lead to
-- the same number. A memo has the official type, title and series of the status that its source was issued with.

-- Letters that are seen and not only another form of other letters (NFKC), the digits 0 to 9, - / . _ # and single spaces
-- between them. TypeScript says the same (features/settings/prefix.ts); a test compares both.
create function is_number_prefix(prefix text) returns boolean language plpgsql immutable parallel safe as $$
declare
  seen constant text := '[-/._#'
    '\u0030-\u0039\u0041-\u005a\u0061-\u007a\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e'
    '\u0180-\u01c3\u01cd-\u01f0\u01f4-\u02af\u02b9-\u02c1\u02c6-\u02d1\u02ec\u02ee\u0370-\u0373\u0376-\u0377\u037b-\u037d'
    '\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03cf\u03d7-\u03ef\u03f3\u03f7-\u03f8\u03fa-\u0481\u048a-\u052f'
    '\u0531-\u0556\u0559\u0560-\u0586\u0588\u05d0-\u05ea\u05ef-\u05f2\u0620-\u064a\u066e-\u066f\u0671-\u0674\u0679-\u06d3'
    '\u06d5\u06e5-\u06e6\u06ee-\u06ef\u06fa-\u06fc\u06ff\u0710\u0712-\u072f\u074d-\u07a5\u07b1\u07ca-\u07ea\u07f4-\u07f5'
    '\u07fa\u0800-\u0815\u081a\u0824\u0828\u0840-\u0858\u0860-\u086a\u0870-\u0887\u0889-\u088f\u08a0-\u08c9\u0904-\u0939'
    '\u093d\u0950\u0960-\u0961\u0971-\u0980\u0985-\u098c\u098f-\u0990\u0993-\u09a8\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bd'
    '\u09ce\u09e0-\u09e1\u09f0-\u09f1\u09fc\u0a05-\u0a0a\u0a0f-\u0a10\u0a13-\u0a28\u0a2a-\u0a30\u0a32\u0a35\u0a38-\u0a39'
    '\u0a5c\u0a72-\u0a74\u0a85-\u0a8d\u0a8f-\u0a91\u0a93-\u0aa8\u0aaa-\u0ab0\u0ab2-\u0ab3\u0ab5-\u0ab9\u0abd\u0ad0'
    '\u0ae0-\u0ae1\u0af9\u0b05-\u0b0c\u0b0f-\u0b10\u0b13-\u0b28\u0b2a-\u0b30\u0b32-\u0b33\u0b35-\u0b39\u0b3d\u0b5f-\u0b61'
    '\u0b71\u0b83\u0b85-\u0b8a\u0b8e-\u0b90\u0b92-\u0b95\u0b99-\u0b9a\u0b9c\u0b9e-\u0b9f\u0ba3-\u0ba4\u0ba8-\u0baa'
    '\u0bae-\u0bb9\u0bd0\u0c05-\u0c0c\u0c0e-\u0c10\u0c12-\u0c28\u0c2a-\u0c39\u0c3d\u0c58-\u0c5a\u0c5c-\u0c5d\u0c60-\u0c61'
    '\u0c80\u0c85-\u0c8c\u0c8e-\u0c90\u0c92-\u0ca8\u0caa-\u0cb3\u0cb5-\u0cb9\u0cbd\u0cdc-\u0cde\u0ce0-\u0ce1\u0cf1-\u0cf2'
    '\u0d04-\u0d0c\u0d0e-\u0d10\u0d12-\u0d3a\u0d3d\u0d4e\u0d54-\u0d56\u0d5f-\u0d61\u0d7a-\u0d7f\u0d85-\u0d96\u0d9a-\u0db1'
    '\u0db3-\u0dbb\u0dbd\u0dc0-\u0dc6\u0e01-\u0e30\u0e32\u0e40-\u0e46\u0e81-\u0e82\u0e84\u0e86-\u0e8a\u0e8c-\u0ea3\u0ea5'
    '\u0ea7-\u0eb0\u0eb2\u0ebd\u0ec0-\u0ec4\u0ec6\u0ede-\u0edf\u0f00\u0f40-\u0f42\u0f44-\u0f47\u0f49-\u0f4c\u0f4e-\u0f51'
    '\u0f53-\u0f56\u0f58-\u0f5b\u0f5d-\u0f68\u0f6a-\u0f6c\u0f88-\u0f8c\u1000-\u102a\u103f\u1050-\u1055\u105a-\u105d\u1061'
    '\u1065-\u1066\u106e-\u1070\u1075-\u1081\u108e\u10a0-\u10c5\u10c7\u10cd\u10d0-\u10fa\u10fd-\u115e\u1161-\u1248'
    '\u124a-\u124d\u1250-\u1256\u1258\u125a-\u125d\u1260-\u1288\u128a-\u128d\u1290-\u12b0\u12b2-\u12b5\u12b8-\u12be\u12c0'
    '\u12c2-\u12c5\u12c8-\u12d6\u12d8-\u1310\u1312-\u1315\u1318-\u135a\u1380-\u138f\u13a0-\u13f5\u13f8-\u13fd\u1401-\u166c'
    '\u166f-\u167f\u1681-\u169a\u16a0-\u16ea\u16f1-\u16f8\u1700-\u1711\u171f-\u1731\u1740-\u1751\u1760-\u176c\u176e-\u1770'
    '\u1780-\u17b3\u17d7\u17dc\u1820-\u1878\u1880-\u1884\u1887-\u18a8\u18aa\u18b0-\u18f5\u1900-\u191e\u1950-\u196d'
    '\u1970-\u1974\u1980-\u19ab\u19b0-\u19c9\u1a00-\u1a16\u1a20-\u1a54\u1aa7\u1b05-\u1b33\u1b45-\u1b4c\u1b83-\u1ba0'
    '\u1bae-\u1baf\u1bba-\u1be5\u1c00-\u1c23\u1c4d-\u1c4f\u1c5a-\u1c7d\u1c80-\u1c8a\u1c90-\u1cba\u1cbd-\u1cbf\u1ce9-\u1cec'
    '\u1cee-\u1cf3\u1cf5-\u1cf6\u1cfa\u1d00-\u1d2b\u1d2f\u1d3b\u1d4e\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1e99\u1e9c-\u1f15'
    '\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f70\u1f72\u1f74\u1f76\u1f78\u1f7a'
    '\u1f7c\u1f80-\u1fb4\u1fb6-\u1fba\u1fbc\u1fc2-\u1fc4\u1fc6-\u1fc8\u1fca\u1fcc\u1fd0-\u1fd2\u1fd6-\u1fda\u1fe0-\u1fe2'
    '\u1fe4-\u1fea\u1fec\u1ff2-\u1ff4\u1ff6-\u1ff8\u1ffa\u1ffc\u2132\u214e\u2183-\u2184\u2c00-\u2c7b\u2c7e-\u2ce4'
    '\u2ceb-\u2cee\u2cf2-\u2cf3\u2d00-\u2d25\u2d27\u2d2d\u2d30-\u2d67\u2d80-\u2d96\u2da0-\u2da6\u2da8-\u2dae\u2db0-\u2db6'
    '\u2db8-\u2dbe\u2dc0-\u2dc6\u2dc8-\u2dce\u2dd0-\u2dd6\u2dd8-\u2dde\u2e2f\u3005-\u3006\u3031-\u3035\u303b-\u303c'
    '\u3041-\u3096\u309d-\u309e\u30a1-\u30fa\u30fc-\u30fe\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\ua48c'
    '\ua4d0-\ua4fd\ua500-\ua60c\ua610-\ua61f\ua62a-\ua62b\ua640-\ua66e\ua67f-\ua69b\ua6a0-\ua6e5\ua717-\ua71f\ua722-\ua76f'
    '\ua771-\ua788\ua78b-\ua7dc\ua7f5-\ua7f7\ua7fa-\ua801\ua803-\ua805\ua807-\ua80a\ua80c-\ua822\ua840-\ua873\ua882-\ua8b3'
    '\ua8f2-\ua8f7\ua8fb\ua8fd-\ua8fe\ua90a-\ua925\ua930-\ua946\ua960-\ua97c\ua984-\ua9b2\ua9cf\ua9e0-\ua9e4\ua9e6-\ua9ef'
    '\ua9fa-\ua9fe\uaa00-\uaa28\uaa40-\uaa42\uaa44-\uaa4b\uaa60-\uaa76\uaa7a\uaa7e-\uaaaf\uaab1\uaab5-\uaab6\uaab9-\uaabd'
    '\uaac0\uaac2\uaadb-\uaadd\uaae0-\uaaea\uaaf2-\uaaf4\uab01-\uab06\uab09-\uab0e\uab11-\uab16\uab20-\uab26\uab28-\uab2e'
    '\uab30-\uab5a\uab60-\uab68\uab70-\uabe2\uac00-\ud7a3\ud7b0-\ud7c6\ud7cb-\ud7fb\ufa0e-\ufa0f\ufa11\ufa13-\ufa14\ufa1f'
    '\ufa21\ufa23-\ufa24\ufa27-\ufa29\ufe73\U00010000-\U0001000b\U0001000d-\U00010026\U00010028-\U0001003a'
    '\U0001003c-\U0001003d\U0001003f-\U0001004d\U00010050-\U0001005d\U00010080-\U000100fa\U00010280-\U0001029c'
    '\U000102a0-\U000102d0\U00010300-\U0001031f\U0001032d-\U00010340\U00010342-\U00010349\U00010350-\U00010375'
    '\U00010380-\U0001039d\U000103a0-\U000103c3\U000103c8-\U000103cf\U00010400-\U0001049d\U000104b0-\U000104d3'
    '\U000104d8-\U000104fb\U00010500-\U00010527\U00010530-\U00010563\U00010570-\U0001057a\U0001057c-\U0001058a'
    '\U0001058c-\U00010592\U00010594-\U00010595\U00010597-\U000105a1\U000105a3-\U000105b1\U000105b3-\U000105b9'
    '\U000105bb-\U000105bc\U000105c0-\U000105f3\U00010600-\U00010736\U00010740-\U00010755\U00010760-\U00010767\U00010780'
    '\U00010800-\U00010805\U00010808\U0001080a-\U00010835\U00010837-\U00010838\U0001083c\U0001083f-\U00010855'
    '\U00010860-\U00010876\U00010880-\U0001089e\U000108e0-\U000108f2\U000108f4-\U000108f5\U00010900-\U00010915'
    '\U00010920-\U00010939\U00010940-\U00010959\U00010980-\U000109b7\U000109be-\U000109bf\U00010a00\U00010a10-\U00010a13'
    '\U00010a15-\U00010a17\U00010a19-\U00010a35\U00010a60-\U00010a7c\U00010a80-\U00010a9c\U00010ac0-\U00010ac7'
    '\U00010ac9-\U00010ae4\U00010b00-\U00010b35\U00010b40-\U00010b55\U00010b60-\U00010b72\U00010b80-\U00010b91'
    '\U00010c00-\U00010c48\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U00010d00-\U00010d23\U00010d4a-\U00010d65'
    '\U00010d6f-\U00010d85\U00010e80-\U00010ea9\U00010eb0-\U00010eb1\U00010ec2-\U00010ec7\U00010f00-\U00010f1c\U00010f27'
    '\U00010f30-\U00010f45\U00010f70-\U00010f81\U00010fb0-\U00010fc4\U00010fe0-\U00010ff6\U00011003-\U00011037'
    '\U00011071-\U00011072\U00011075\U00011083-\U000110af\U000110d0-\U000110e8\U00011103-\U00011126\U00011144\U00011147'
    '\U00011150-\U00011172\U00011176\U00011183-\U000111b2\U000111c1-\U000111c4\U000111da\U000111dc\U00011200-\U00011211'
    '\U00011213-\U0001122b\U0001123f-\U00011240\U00011280-\U00011286\U00011288\U0001128a-\U0001128d\U0001128f-\U0001129d'
    '\U0001129f-\U000112a8\U000112b0-\U000112de\U00011305-\U0001130c\U0001130f-\U00011310\U00011313-\U00011328'
    '\U0001132a-\U00011330\U00011332-\U00011333\U00011335-\U00011339\U0001133d\U00011350\U0001135d-\U00011361'
    '\U00011380-\U00011389\U0001138b\U0001138e\U00011390-\U000113b5\U000113b7\U000113d1\U000113d3\U00011400-\U00011434'
    '\U00011447-\U0001144a\U0001145f-\U00011461\U00011480-\U000114af\U000114c4-\U000114c5\U000114c7\U00011580-\U000115ae'
    '\U000115d8-\U000115db\U00011600-\U0001162f\U00011644\U00011680-\U000116aa\U000116b8\U00011700-\U0001171a'
    '\U00011740-\U00011746\U00011800-\U0001182b\U000118a0-\U000118df\U000118ff-\U00011906\U00011909\U0001190c-\U00011913'
    '\U00011915-\U00011916\U00011918-\U0001192f\U0001193f\U00011941\U000119a0-\U000119a7\U000119aa-\U000119d0\U000119e1'
    '\U000119e3\U00011a00\U00011a0b-\U00011a32\U00011a3a\U00011a50\U00011a5c-\U00011a89\U00011a9d\U00011ab0-\U00011af8'
    '\U00011bc0-\U00011be0\U00011c00-\U00011c08\U00011c0a-\U00011c2e\U00011c40\U00011c72-\U00011c8f\U00011d00-\U00011d06'
    '\U00011d08-\U00011d09\U00011d0b-\U00011d30\U00011d46\U00011d60-\U00011d65\U00011d67-\U00011d68\U00011d6a-\U00011d89'
    '\U00011d98\U00011db0-\U00011ddb\U00011ee0-\U00011ef2\U00011f02\U00011f04-\U00011f10\U00011f12-\U00011f33\U00011fb0'
    '\U00012000-\U00012399\U00012480-\U00012543\U00012f90-\U00012ff0\U00013000-\U0001342f\U00013441-\U00013446'
    '\U00013460-\U000143fa\U00014400-\U00014646\U00016100-\U0001611d\U00016800-\U00016a38\U00016a40-\U00016a5e'
    '\U00016a70-\U00016abe\U00016ad0-\U00016aed\U00016b00-\U00016b2f\U00016b40-\U00016b43\U00016b63-\U00016b77'
    '\U00016b7d-\U00016b8f\U00016d40-\U00016d6c\U00016e40-\U00016e7f\U00016ea0-\U00016eb8\U00016ebb-\U00016ed3'
    '\U00016f00-\U00016f4a\U00016f50\U00016f93-\U00016f9f\U00016fe0-\U00016fe1\U00016fe3\U00016ff2-\U00016ff3'
    '\U00017000-\U00018cd5\U00018cff-\U00018d1e\U00018d80-\U00018df2\U0001aff0-\U0001aff3\U0001aff5-\U0001affb'
    '\U0001affd-\U0001affe\U0001b000-\U0001b122\U0001b132\U0001b150-\U0001b152\U0001b155\U0001b164-\U0001b167'
    '\U0001b170-\U0001b2fb\U0001bc00-\U0001bc6a\U0001bc70-\U0001bc7c\U0001bc80-\U0001bc88\U0001bc90-\U0001bc99'
    '\U0001df00-\U0001df1e\U0001df25-\U0001df2a\U0001e100-\U0001e12c\U0001e137-\U0001e13d\U0001e14e\U0001e290-\U0001e2ad'
    '\U0001e2c0-\U0001e2eb\U0001e4d0-\U0001e4eb\U0001e5d0-\U0001e5ed\U0001e5f0\U0001e6c0-\U0001e6de\U0001e6e0-\U0001e6e2'
    '\U0001e6e4-\U0001e6e5\U0001e6e7-\U0001e6ed\U0001e6f0-\U0001e6f4\U0001e6fe-\U0001e6ff\U0001e7e0-\U0001e7e6'
    '\U0001e7e8-\U0001e7eb\U0001e7ed-\U0001e7ee\U0001e7f0-\U0001e7fe\U0001e800-\U0001e8c4\U0001e900-\U0001e943\U0001e94b'
    '\U00020000-\U0002a6df\U0002a700-\U0002b81d\U0002b820-\U0002cead\U0002ceb0-\U0002ebe0\U0002ebf0-\U0002ee5d'
    '\U00030000-\U0003134a\U00031350-\U00033479'
    ']';
begin
  return prefix is nfkc normalized and prefix ~ ('^(' || seen || '+( ' || seen || '+)*)?$');
end $$;

-- A prefix is checked when it changes: one that was chosen before stays, and its documents can still be numbered.
create function guard_prefix() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not is_number_prefix(new.prefix) and not exists (select from document_numbering n where n.organization_id = new.organization_id
      and n.document_type = new.document_type and n.prefix = new.prefix) then
    raise exception 'A prefix has letters, digits, - / . _ # and single spaces between them.'
      using errcode = 'check_violation', constraint = 'prefix_is_visible';
  end if;
  return new;
end $$;
create trigger guard_prefix before insert or update of prefix on document_numbering for each row execute function guard_prefix();

-- Types of one series share a running number, each with its own prefix. If one prefix is another one followed by digits, both
-- lead to the same printed number some day: 1 and 2 is 12. Checked at the end, because several types may change together.
create function check_formats_of_series() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own text := (select o.series from official_numbering(new.organization_id, new.document_type) o);
begin
  if tg_op = 'UPDATE' and (new.prefix, new.padding) = (old.prefix, old.padding) then return null; end if;
  perform from document_numbering n where n.organization_id = new.organization_id order by n.document_type for update;
  if exists (
    with formats as (
      select t.document_type, coalesce(f.prefix, s.prefix, '') as prefix
      from organizations o
      join official_document_types t on t.country = o.country and t.series = own
        and t.registered = is_registered_for_tax(o.country, o.registration_number, o.tax_number)
      left join document_numbering f on f.organization_id = o.id and f.document_type = t.document_type and (f.prefix <> '' or f.padding > 0)
      left join document_numbering s on s.organization_id = o.id and s.document_type = own
      where o.id = new.organization_id)
    select from formats one, formats other
    where new.document_type in (one.document_type, other.document_type)
      and starts_with(other.prefix, one.prefix) and substr(other.prefix, length(one.prefix) + 1) ~ '^[0-9]+$') then
    raise exception 'Two prefixes of a series lead to the same number.'
      using errcode = 'check_violation', constraint = 'formats_of_series_differ';
  end if;
  return null;
end $$;
create constraint trigger check_formats_of_series after insert or update of prefix, padding on document_numbering
  deferrable initially deferred for each row execute function check_formats_of_series();

-- Whether numbers of the series were given to the organization of the request, so that no other starting number can be chosen.
create function numbers_given(series text) returns boolean language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from document_numbering n where n.organization_id = current_organization()
      and n.document_type = numbers_given.series and (n.next_number <> n.first_number or n.earlier_numbers > 0))
    or exists (select from official_numbering(current_organization(), numbers_given.series) o,
      documents_of_type(current_organization(), o.series, o.official_type))
$$;
grant execute on function numbers_given to kontor_confined;

-- Whether a document is issued as one of a registered business. A memo corrects its source, so it has the status that the
-- source was issued with: the credit of a transaction invoice is no tax invoice, also if the dealer has registered since.
create function registered_for_numbering(organization uuid, type text, source uuid) returns boolean language sql stable parallel safe as $$
  select coalesce((select c.registered from issued_copies c where c.organization_id = organization and c.document_id = source
      and type in ('CREDIT_MEMO', 'DEBIT_MEMO')),
    (select is_registered_for_tax(o.country, o.registration_number, o.tax_number) from organizations o where o.id = organization))
$$;

create function official_numbering(organization uuid, type text, registered boolean, out series text, out official_type text)
  language sql stable parallel safe as $$
  select coalesce(t.series, official_numbering.type), coalesce(t.official_type, official_numbering.type)
  from organizations o left join official_document_types t on t.country = o.country and t.document_type = official_numbering.type
    and t.registered = official_numbering.registered
  where o.id = organization
$$;

-- As before, with the status of the document.
create or replace function issued_copy(d documents) returns setof issued_copies language sql stable as $$
  select d.organization_id, d.id,
    jsonb_build_object('id', o.id, 'name', o.name, 'country', o.country, 'currency', o.currency, 'registrationNumber', o.registration_number,
      'taxNumber', o.tax_number, 'address', o.address, 'email', o.email, 'phone', o.phone, 'senderName', s.sender_name),
    case when c.id is not null then jsonb_build_object('name', nullif(d.counterparty_name, ''), 'email', c.email, 'country', c.country,
      'kind', c.kind, 'registrationNumber', c.registration_number, 'address', c.address) end,
    case when b.id is not null then jsonb_build_object('id', b.id, 'accountName', b.account_name, 'bankName', b.bank_name,
      'accountNumber', b.account_number, 'branchCode', b.branch_code, 'swiftCode', b.swift_code, 'iban', b.iban, 'routingNumber', b.routing_number,
      'localBankCode', b.local_bank_code, 'bankAddress', b.bank_address, 'bankCountry', b.bank_country, 'notes', b.notes) end,
    document_language(o.country, c.country, s.language), r.registered,
    coalesce(t.official_type, d.document_type),
    jsonb_build_object('en', coalesce(t.title_en, d.document_type), 'he', coalesce(t.title_he, d.document_type)),
    s.logo_file_id, null::uuid, null::text, now()
  from organizations o
  cross join lateral registered_for_numbering(o.id, d.document_type, d.source_document_id) r (registered)
  left join organization_settings s on s.organization_id = o.id
  left join customers c on c.organization_id = d.organization_id and c.id = d.counterparty_id
  left join bank_accounts b on b.organization_id = d.organization_id and b.id = d.bank_account_id
  left join official_document_types t on t.country = o.country and t.document_type = d.document_type
    and t.registered = r.registered
  where o.id = d.organization_id
$$;

-- As before. Memos may be numbered in the series of either status, so both are locked.
create or replace function lock_counters(types text[]) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  counters text[] := array(
    select n.series from unnest(types) t, official_numbering(current_organization(), t) n
    union select o.series from organizations c join official_document_types o on o.country = c.country
      where c.id = current_organization() and o.document_type = any (types) and o.document_type in ('CREDIT_MEMO', 'DEBIT_MEMO')
    order by 1);
begin
  insert into document_numbering (organization_id, document_type)
    select current_organization(), c from unnest(counters) c order by c on conflict do nothing;
  perform from document_numbering n where n.organization_id = current_organization() and n.document_type = any (counters)
    order by n.document_type for update;
end $$;

-- As before, in the series of the status of the document.
drop function next_document_number(uuid, text, boolean, date);
create function next_document_number(organization uuid, type text, source uuid, day_given boolean,
    inout day date, out series text, out sequence bigint, out number text)
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  today date := (select (now() at time zone o.timezone)::date from organizations o where o.id = organization);
  official record;
  counter document_numbering;
  format document_numbering;
  last_day date;
begin
  select * into official from official_numbering(organization, type, registered_for_numbering(organization, type, source));
  series := official.series;
  select * into counter from document_numbering n where n.organization_id = organization and n.document_type = official.series for update;
  if not found then
    insert into document_numbering (organization_id, document_type) values (organization, official.series) on conflict do nothing;
    select * into counter from document_numbering n where n.organization_id = organization and n.document_type = official.series for update;
  end if;
  if day > today then
    if day_given then
      raise exception 'The issue date is after today.'
        using errcode = 'check_violation', constraint = 'issue_date_not_in_future', detail = today::text;
    end if;
    day := today;
  end if;
  last_day := counter.last_issue_date;
  if last_day > today then
    select max(d.issue_date) into last_day from documents_of_type(organization, official.series, official.official_type) d where d.issue_date <= today;
  end if;
  if day < last_day then
    if day_given then
      raise exception 'The last number is dated later.'
        using errcode = 'check_violation', constraint = 'issue_date_in_order', detail = last_day::text;
    end if;
    day := last_day;
  end if;
  update document_numbering n set next_number = n.next_number + 1, last_issue_date = day
    where n.organization_id = organization and n.document_type = official.series;
  format := counter;
  if official.series <> type then
    select * into format from document_numbering n
      where n.organization_id = organization and n.document_type = type and (n.prefix <> '' or n.padding > 0);
    if not found then format := counter; end if;
  end if;
  sequence := counter.next_number;
  number := format.prefix || lpad(sequence::text, greatest(format.padding, length(sequence::text)), '0');
  -- the index one_printed_number does not know the numbers that were given before
  if counter.first_number > 1 and exists (select from documents d join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
      where d.organization_id = organization and d.series = '' and d.sequence is not null
        and d.number = next_document_number.number and c.official_type = official.official_type) then
    raise exception 'This number was printed before.' using errcode = 'unique_violation', constraint = 'one_printed_number';
  end if;
end $$;

-- As before; a memo is numbered with the status of its source.
create or replace function guard_document() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rules ledger_kinds;
  is_final boolean;
begin
  if tg_op = 'UPDATE' and old.issued_at is not null
    and (new.organization_id, new.id, new.kind, new.direction, new.series, new.sequence, new.number, new.issued_at)
      is distinct from (old.organization_id, old.id, old.kind, old.direction, old.series, old.sequence, old.number, old.issued_at) then
    perform refuse_frozen();
  end if;
  select * into rules from ledger_kinds k where k.kind = new.kind;
  if tg_op = 'UPDATE' then perform refuse_frozen_change(rules, old, new); end if;
  if rules.kind is null or new.direction <> rules.direction or new.document_type <> all (rules.document_types) or new.status <> all (rules.statuses) then
    raise exception 'A document has a kind, and a direction, type and status of that kind.' using errcode = 'check_violation', constraint = 'document_of_kind';
  end if;
  if new.counterparty_id is null and rules.counterparty_needed then
    raise exception 'A document of this kind names its counterparty.' using errcode = 'not_null_violation', column = 'counterparty_id';
  end if;
  is_final := new.status <> all (rules.draft_statuses);
  if tg_op = 'UPDATE' then
    if new.status <> old.status and not coalesce((rules.transitions -> old.status) ? new.status, false)
      and not (old.status = 'PAID' and new.status = case when new.sent_at is null then rules.open_status else coalesce(rules.sent_status, rules.open_status) end) then
      if old.issued_at is not null and not is_final then perform refuse_frozen(); end if;
      raise exception 'A document does not go from % to %.', old.status, new.status using errcode = 'check_violation', constraint = 'status_transition';
    end if;
    -- deleting the account would take it off the document; an edit of the document may
    if old.issued_at is not null and old.bank_account_id is not null and new.bank_account_id is null and pg_trigger_depth() > 1 then
      raise exception 'The account stands on an issued document.' using errcode = 'check_violation', constraint = 'account_on_issued_document';
    end if;
  end if;
  if new.status = rules.sent_status and new.sent_at is null then new.sent_at := now(); end if;
  if new.paid_minor > 0 and new.status <> all (rules.payable_statuses) then
    raise exception 'A document that is % has no payments.', new.status using errcode = 'check_violation', constraint = 'payable_when_paid';
  end if;
  -- PAID exactly when nothing is open and money was received (INV-05); the other direction is the check settled_when_paid
  if is_final and rules.open_status is not null and new.payment_id is null and new.total_minor > 0
    and is_settled(new.total_minor, new.paid_minor, new.credited_minor) and new.status <> 'PAID' then
    if tg_op = 'UPDATE' and old.issued_at is not null then
      raise exception 'A document of which nothing is open is PAID.' using errcode = 'check_violation', constraint = 'settled_when_paid';
    end if;
    new.status := 'PAID'; -- it was paid in full before it became final
  end if;
  if tg_op = 'UPDATE' and old.issued_at is not null and is_final then return new; end if;
  new.counterparty_name := coalesce((select coalesce(c.name, c.email) from customers c
    where c.organization_id = new.organization_id and c.id = new.counterparty_id), '');
  if is_final then
    if rules.numbered then
      select n.day, n.series, n.sequence, n.number into new.issue_date, new.series, new.sequence, new.number
        from next_document_number(new.organization_id, new.document_type, new.source_document_id, new.issue_date_given, new.issue_date) n;
    end if;
    new.issued_at := now();
  else
    new.issued_at := null; -- a kind may let a final document be taken back; one with a number never is
    new.exchange_rate := null;
    new.rate_currency := null;
    new.rate_date := null;
  end if;
  return new;
end $$;

-- Codes of accounts that differ only in case are the same. Those that exist stay.
create function guard_account_code() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select from accounts a where a.organization_id = new.organization_id and a.id <> new.id and lower(a.code) = lower(new.code))
    and (tg_op = 'INSERT' or new.code <> old.code) then
    raise exception 'There is an account with that code.' using errcode = 'unique_violation', constraint = 'one_account_per_code';
  end if;
  return new;
end $$;
create trigger guard_account_code before insert or update of code on accounts for each row execute function guard_account_code();

-- As before. The total of a document may differ from its net amount and tax by rounding, which is booked to ROUNDING and not
-- to sales or expenses.
create or replace function journal_lines(first_day date, last_day date) returns table (organization_id uuid, day date, event text, event_id uuid,
    document_id uuid, payment_id uuid, entry_id uuid, direction text, line integer, account text, account_id uuid, tax_category text,
    bank_account_id uuid, minor bigint, currency text, home_minor bigint, home_currency text, exchange_rate numeric)
  language sql stable parallel safe as $$
  with kinds as materialized (
    select k.kind, k.balance_account, k.result_account, k.unbilled_types from all_ledger_kinds() k
  ), issued as (
    select d.organization_id, d.issue_date as day, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end as event, 1 as times, d.id, d.kind,
      d.direction, d.document_type, d.source_document_id, d.payment_id, d.currency, d.exchange_rate, d.rate_currency, d.tax_rate, d.subtotal_minor, d.tax_minor, d.total_minor
    from documents d where d.kind = 'SALES' and d.issue_date between first_day and last_day
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
    union all
    select d.organization_id, d.issue_date, case when d.payment_id is null then 'ISSUED' else 'CREDITED' end, 1, d.id, d.kind,
      d.direction, d.document_type, d.source_document_id, d.payment_id, d.currency, d.exchange_rate, d.rate_currency, d.tax_rate, d.subtotal_minor, d.tax_minor, d.total_minor
    from documents d where d.kind <> 'SALES' and d.issue_date between first_day and last_day
      and d.issued_at is not null and (d.payment_id is null or d.document_type = 'CREDIT_MEMO')
  ), closed as (
    -- what was asked for without an invoice is no longer owed once it was cancelled or invoiced
    select d.organization_id, greatest(d.issue_date, (d.cancelled_at at time zone o.timezone)::date) as day, 'CANCELLED' as event, d.id
    from documents d join organizations o on o.id = d.organization_id
    where d.cancelled_at is not null and (d.cancelled_at >= (first_day - 2)::timestamptz and d.cancelled_at < (last_day + 3)::timestamptz
      or d.issue_date between first_day and last_day) and d.payment_id is null
    union all
    select d.organization_id, i.issue_date, 'CONVERTED', d.id
    from documents i join documents d on d.organization_id = i.organization_id and d.id = i.source_document_id and d.converted_to_id = i.id
    where i.kind = 'SALES' and i.issue_date between first_day and last_day and i.issue_date >= d.issue_date
    union all
    select d.organization_id, d.issue_date, 'CONVERTED', d.id
    from documents d join documents i on i.organization_id = d.organization_id and i.id = d.converted_to_id
    where d.kind = 'SALES' and d.issue_date between first_day and last_day and i.issue_date < d.issue_date
  ), paid as (
    select p.organization_id, p.paid_at as day, 'PAID' as event, 1 as times, p.id, p.direction, p.amount_minor, p.withheld_minor, p.currency,
      p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor
    from payments p where p.paid_at between first_day and last_day and p.source <> 'CREDIT_MEMO'
    union all
    select p.organization_id, greatest(p.paid_at, (p.voided_at at time zone o.timezone)::date), 'PAID_VOIDED', -1, p.id, p.direction, p.amount_minor,
      p.withheld_minor, p.currency, p.exchange_rate, p.rate_currency, p.bank_account_id, p.refund_of, p.refund_home_minor
    from payments p join organizations o on o.id = p.organization_id
    where p.source <> 'CREDIT_MEMO' and p.voided_at is not null and (p.paid_at between first_day and last_day
      or p.voided_at >= (first_day - 2)::timestamptz and p.voided_at < (last_day + 3)::timestamptz)
  ), allocated as (
    select a.organization_id, a.booked_on as day, 'ALLOCATED' as event, 1 as times, a.id, a.document_id, a.payment_id, a.amount_minor,
      a.document_home_minor, a.payment_home_minor
    from allocations a where a.booked_on between first_day and last_day
    union all
    select a.organization_id, greatest(a.booked_on, (a.voided_at at time zone o.timezone)::date), 'ALLOCATED_VOIDED', -1, a.id, a.document_id, a.payment_id,
      a.amount_minor, a.document_home_minor, a.payment_home_minor
    from allocations a join organizations o on o.id = a.organization_id
    where a.voided_at is not null and (a.booked_on between first_day and last_day
      or a.voided_at >= (first_day - 2)::timestamptz and a.voided_at < (last_day + 3)::timestamptz)
  ), lines as (
    -- as for what is owed to us; what we owe is turned round below
    select i.organization_id, i.day, i.event, i.id as event_id, i.id as document_id, i.payment_id, i.direction, i.times, l.line, l.account,
      l.tax_category, null::uuid as bank_account_id, l.minor, i.currency, home_minor(l.minor, i.currency, h.home, i.exchange_rate) as home_minor,
      h.home, i.exchange_rate, 'ROUNDING' as rest
    from issued i
    join organizations o on o.id = i.organization_id
    join kinds k on k.kind = i.kind
    left join documents s on s.organization_id = i.organization_id and s.id = i.source_document_id and i.event = 'CREDITED'
    cross join lateral (select coalesce(i.rate_currency, o.currency) as home) h
    cross join lateral (select coalesce(s.document_type, i.document_type) <> all (k.unbilled_types) as billed,
      case i.event when 'CREDITED' then -1 else 1 end as side) b
    cross join lateral (
      select null::text as tax_category, true as is_first, i.subtotal_minor as net, i.tax_minor as tax
      where b.billed and not exists (select from account_mappings m where m.tax_category is not null)
      union all
      select null, true, i.total_minor, 0 where not b.billed
      union all
      -- the net amount and the tax by tax category, in proportion to the lines
      select c.tax_category, c.is_first,
        (case when c.all_net = 0 then case when c.is_first then n.net else 0 end
          else round(n.net * c.net_upto / c.all_net) - round(n.net * (c.net_upto - c.net) / c.all_net) end)::bigint,
        (case when c.all_tax = 0 then case when c.is_first then i.tax_minor else 0 end
          else round(i.tax_minor * c.tax_upto / c.all_tax) - round(i.tax_minor * (c.tax_upto - c.tax) / c.all_tax) end)::bigint
      from (select i.subtotal_minor as net) n, (
        select g.*, row_number() over (order by g.tax_category nulls first) = 1 as is_first,
          sum(g.net) over (order by g.tax_category nulls first) as net_upto, sum(g.net) over () as all_net,
          sum(g.tax) over (order by g.tax_category nulls first) as tax_upto, sum(g.tax) over () as all_tax
        from (select l.tax_category, sum(l.amount_minor) as net, sum(l.amount_minor * coalesce(l.tax_rate, i.tax_rate, 0)) as tax
          from document_lines l where l.organization_id = i.organization_id and l.document_id = i.id group by l.tax_category) g) c
      where b.billed and exists (select from account_mappings m where m.tax_category is not null)
    ) p
    cross join lateral (values
      (1, case i.event when 'CREDITED' then 'PREPAYMENTS' else k.balance_account end, null, case when p.is_first then b.side * i.total_minor else 0 end),
      (2, case when b.billed then k.result_account else 'UNBILLED' end, p.tax_category, -b.side * p.net),
      (3, 'TAX', p.tax_category, -b.side * p.tax),
      (4, 'ROUNDING', null, case when b.billed and p.is_first then -b.side * (i.total_minor - i.tax_minor - i.subtotal_minor) else 0 end)
      ) l (line, account, tax_category, minor)
    union all
    select d.organization_id, e.day, e.event, d.id, d.id, null, d.direction, 1, l.line, l.account, null, null, l.minor, d.currency,
      l.home, h.home, d.exchange_rate, 'ROUNDING'
    from closed e join documents d on d.organization_id = e.organization_id and d.id = e.id
    join organizations o on o.id = d.organization_id
    join kinds k on k.kind = d.kind
    cross join lateral (select coalesce(d.rate_currency, o.currency) as home) h
    cross join lateral (select coalesce(sum(a.amount_minor), 0) as minor, coalesce(sum(coalesce(a.document_home_minor, a.amount_minor)), 0) as home
      from allocations a where a.organization_id = d.organization_id and a.document_id = d.id and a.voided_at is null) credited
    cross join lateral (select (d.total_minor - credited.minor)::bigint as minor,
      (home_minor(d.total_minor, d.currency, h.home, d.exchange_rate) - credited.home)::bigint as home) open
    cross join lateral (values (1, k.balance_account, -open.minor, -open.home), (2, 'UNBILLED', open.minor, open.home)) l (line, account, minor, home)
    where e.day between first_day and last_day
    union all
    -- a refund gives back what was received: the same accounts, the other way round
    select p.organization_id, p.day, p.event, p.id, null, p.id, r.direction, r.times, l.line, l.account, null, l.bank_account_id, l.minor, p.currency,
      l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
      case when p.refund_of is null then 'ROUNDING' when (select g.exchange_rate from payments g where g.organization_id = p.organization_id and g.id = p.refund_of)
        is not distinct from p.exchange_rate then 'ROUNDING' else 'EXCHANGE_DIFFERENCES' end
    from paid p
    cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
    cross join lateral (select case when p.refund_of is null then p.direction when p.direction = 'OUTGOING' then 'INCOMING' else 'OUTGOING' end as direction,
      case when p.refund_of is null then p.times else -p.times end as times) r
    cross join lateral (values
      (1, 'CASH', p.bank_account_id, p.amount_minor - p.withheld_minor, home_minor(p.amount_minor - p.withheld_minor, p.currency, h.home, p.exchange_rate)),
      (2, 'WITHHOLDING', null, p.withheld_minor, home_minor(p.withheld_minor, p.currency, h.home, p.exchange_rate)),
      (3, 'PREPAYMENTS', null, -p.amount_minor, -coalesce(p.refund_home_minor, home_minor(p.amount_minor, p.currency, h.home, p.exchange_rate)))
    ) l (line, account, bank_account_id, minor, home)
    where p.day between first_day and last_day
    union all
    select a.organization_id, a.day, a.event, a.id, a.document_id, a.payment_id, d.direction, a.times, l.line, l.account, null, null, l.minor, d.currency,
      l.home, h.home, case when p.rate_currency is null then 1 else p.exchange_rate end,
      case when p.exchange_rate is distinct from d.exchange_rate and p.rate_currency is not null then 'EXCHANGE_DIFFERENCES' else 'ROUNDING' end
    from allocated a
    join payments p on p.organization_id = a.organization_id and p.id = a.payment_id
    join documents d on d.organization_id = a.organization_id and d.id = a.document_id
    join kinds k on k.kind = d.kind
    cross join lateral (select coalesce(p.rate_currency, p.currency) as home) h
    cross join lateral (values (1, 'PREPAYMENTS', a.amount_minor, coalesce(a.payment_home_minor, a.amount_minor)),
      (2, k.balance_account, -a.amount_minor, -coalesce(a.document_home_minor, a.amount_minor))) l (line, account, minor, home)
    where d.issued_at is not null and a.day between first_day and last_day
  ), signed as materialized (
    select l.*, case l.direction when 'OUTGOING' then l.times else -l.times end as sign from lines l
  )
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null::uuid, b.direction, b.line, b.account, null::uuid, b.tax_category,
    b.bank_account_id, b.sign * b.minor, b.currency, b.sign * b.home_minor, b.home, b.exchange_rate
  from signed b where b.minor <> 0
  union all
  select b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, null, b.direction, 9, b.rest, null, null,
    null, 0, b.currency, -sum(b.sign * b.home_minor)::bigint, b.home, b.exchange_rate
  from signed b where b.currency <> b.home
  group by b.organization_id, b.day, b.event, b.event_id, b.document_id, b.payment_id, b.direction, b.rest, b.currency, b.home, b.exchange_rate
  having sum(b.sign * b.home_minor) <> 0
  union all
  select e.organization_id, e.date, case when e.reverses_id is null then e.kind else 'REVERSAL' end, e.id, null, null, e.id, null, l.position, null, l.account_id, null,
    null, l.debit_minor - l.credit_minor, e.currency, l.debit_minor - l.credit_minor, e.currency, 1
  from journal_entries e join journal_entry_lines l on l.organization_id = e.organization_id and l.entry_id = e.id
  where e.date between first_day and last_day
$$;
