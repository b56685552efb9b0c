-- Guards numbers without gaps: a number is taken under a lock of its series, and two formats of a series cannot print the same
-- number.

-- Locks the counters of these types, always in the same order and before any document, so that two transactions cannot block each
-- other. A memo may be numbered in the series of either status, so both are locked.
create or replace function lock_counters(types text[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
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
grant execute on function lock_counters(text[]) to kontor_confined;

-- The official type of documents of this type, and the document type whose counter numbers them.
create or replace function official_numbering(organization uuid, type text, out series text, out official_type text) returns record
  language sql stable parallel safe as $$
  select coalesce(t.series, official_numbering.type), coalesce(t.official_type, official_numbering.type)
  from organizations o left join official_document_types t on t.country = o.country and t.document_type = official_numbering.type
    and t.registered = is_registered_for_tax(o.country, o.registration_number, o.tax_number)
  where o.id = organization
$$;

create or replace function official_numbering(organization uuid, type text, registered boolean, out series text, out official_type text)
  returns record
  language sql stable parallel safe as $$
  select coalesce(t.series, official_numbering.type), coalesce(t.official_type, official_numbering.type)
  from organizations o left join official_document_types t on t.country = o.country and t.document_type = official_numbering.type
    and t.registered = official_numbering.registered
  where o.id = organization
$$;

-- Takes the next number of a type (INV-06). Numbers follow the calendar: a day that was not given becomes at least the day of the
-- last number.
create or replace function next_document_number(organization uuid, type text, source uuid, day_given boolean, INout day date, out series text, out sequence bigint, out number text)
  returns record
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
  -- the index one_printed_number does not contain the numbers that were given before it was made
  if counter.first_number > 1 and exists (select from documents d join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
      where d.organization_id = organization and d.series = '' and d.sequence is not null
        and d.number = next_document_number.number and c.official_type = official.official_type) then
    raise exception 'This number was printed before.' using errcode = 'unique_violation', constraint = 'one_printed_number';
  end if;
end $$;

-- Whether a prefix has only visible letters that are not another form of other letters (NFKC), the digits 0 to 9, - / . _ # and
-- single spaces between them. TypeScript has the same rule (prefix.ts of the settings), and a test compares both. Both are needed:
-- this function refuses every writer, including imports and migrations, and TypeScript says which character is wrong.
create or replace function is_number_prefix(prefix text) returns boolean language plpgsql immutable parallel safe as $$
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

-- Checks a prefix when it changes. A prefix that was chosen before stays, so that its documents can still be numbered.
create or replace function guard_prefix() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not is_number_prefix(new.prefix) and not exists (select from document_numbering n where n.organization_id = new.organization_id
      and n.document_type = new.document_type and n.prefix = new.prefix) then
    raise exception 'A prefix has letters, digits, - / . _ # and single spaces between them.'
      using errcode = 'check_violation', constraint = 'prefix_is_visible';
  end if;
  return new;
end $$;

-- Refuses formats that would print the same number. The types of a series share a running number, and each has its own prefix: if
-- one prefix is another one followed by digits, both print the same number some day, as 1 and 2 does 12. The check is made at the
-- end, because several types may change together.
create or replace function check_formats_of_series() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
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

-- Whether the series has numbers already in the organization of the request, so that its starting number can no longer be chosen.
create or replace function numbers_given(series text) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from document_numbering n where n.organization_id = current_organization()
      and n.document_type = numbers_given.series and (n.next_number <> n.first_number or n.earlier_numbers > 0))
    or exists (select from official_numbering(current_organization(), numbers_given.series) o,
      documents_of_type(current_organization(), o.series, o.official_type))
$$;
grant execute on function numbers_given(text) to kontor_confined;

-- Whether a document is issued as one of a registered business. A memo corrects its source, so it has the status that the source
-- was issued with: the credit of a transaction invoice is not a tax invoice, even if the dealer has registered since.
create or replace function registered_for_numbering(organization uuid, type text, source uuid) returns boolean
  language sql stable parallel safe as $$
  select coalesce((select c.registered from issued_copies c where c.organization_id = organization and c.document_id = source
      and type in ('CREDIT_MEMO', 'DEBIT_MEMO')),
    (select is_registered_for_tax(o.country, o.registration_number, o.tax_number) from organizations o where o.id = organization))
$$;

-- Refuses a starting number after the first number of a series was given, and a prefix or number of digits that could repeat a
-- printed number.
create or replace function guard_numbering() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  own record;
  next bigint;
begin
  if tg_op = 'INSERT' then
    new.next_number := greatest(new.next_number, new.first_number);
    if (new.prefix, new.padding) = ('', 0) or exists (select from document_numbering n
        where n.organization_id = new.organization_id and n.document_type = new.document_type) then
      return new; -- there is nothing to compare, or the insert becomes an update
    end if;
  elsif (new.prefix, new.padding, new.first_number) = (old.prefix, old.padding, old.first_number) then
    return new;
  end if;
  select * into own from official_numbering(new.organization_id, new.document_type);
  if tg_op = 'UPDATE' and new.first_number <> old.first_number then
    if old.next_number <> old.first_number or old.earlier_numbers > 0
      or own.series = new.document_type and exists (select from documents_of_type(new.organization_id, own.series, own.official_type)) then
      raise exception 'Numbers of this series were given.' using errcode = 'check_violation', constraint = 'first_number_before_first_issue';
    end if;
    new.next_number := new.first_number;
  end if;
  next := new.next_number;
  if own.series <> new.document_type then
    select n.next_number into next from document_numbering n
      where n.organization_id = new.organization_id and n.document_type = own.series for update;
  end if;
  if exists (select from documents_of_type(new.organization_id, own.series, own.official_type) d, substr(d.number, length(new.prefix) + 1) rest
      where starts_with(d.number, new.prefix) and case when rest ~ '^[0-9]{1,18}$' then rest::bigint >= coalesce(next, 1)
        and length(rest) = greatest(new.padding, length(rest::bigint::text)) else false end) then
    raise exception 'A printed number would be repeated.' using errcode = 'check_violation', constraint = 'printed_numbers_stay_unique';
  end if;
  return new;
end $$;

create or replace function guard_format_of_issued() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if (new.prefix, new.padding) = ('', 0) or exists (select from document_numbering n
        where n.organization_id = new.organization_id and n.document_type = new.document_type) then
      return new; -- the insert becomes an update
    end if;
  elsif (new.prefix, new.padding) = (old.prefix, old.padding) then
    return new;
  end if;
  -- a type without a format of its own has the format of its series
  if exists (select from documents d where d.organization_id = new.organization_id and new.document_type in (d.document_type, d.series) and d.sequence is not null) then
    perform require_acting_owner(new.organization_id, 'owner_changes_numbering');
  end if;
  return new;
end $$;

-- Whether an organization is registered for VAT or GST. The first digits of its number say so for an Israeli company or
-- partnership; others need a tax number. The rules of the countries in TypeScript are the same, and a test compares both. Both are
-- needed: this function gives a document its series, title and copy when it is issued, and TypeScript shows, checks and prints
-- drafts.
create or replace function is_registered_for_tax(country text, registration_number text, tax_number text) returns boolean
  language sql immutable parallel safe as $$
  select case country
    when 'IL' then coalesce(tax_number, '') <> '' or left(lpad(regexp_replace(coalesce(registration_number, ''),
        '[\s\u00a0\u00ad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\u002d\u058a\u05be\u2010-\u2015\ufe58\ufe63\uff0d]', '', 'g'),
        9, '0'), 2) in ('50', '51', '52', '53', '54', '55', '56', '57')
    when 'SG' then coalesce(tax_number, '') <> ''
    else true end
$$;

-- The documents of an official type: those of its series, and those with its title that were numbered before.
create or replace function documents_of_type(organization uuid, series text, official_type text) returns setof documents
  language sql stable as $$
  select d.* from documents d where d.organization_id = organization and d.sequence is not null and d.series = documents_of_type.series
  union all select d.* from documents d join issued_copies c on c.organization_id = d.organization_id and c.document_id = d.id
  where d.organization_id = organization and d.sequence is not null and d.series = '' and c.official_type = documents_of_type.official_type
$$;

create or replace trigger guard_numbering before insert or update of prefix, padding, first_number on document_numbering
  for each row execute function guard_numbering();
create or replace trigger guard_prefix before insert or update of prefix on document_numbering
  for each row execute function guard_prefix();
create constraint trigger check_formats_of_series after insert or update of prefix, padding on document_numbering deferrable initially deferred
  for each row execute function check_formats_of_series();
create or replace trigger guard_format_of_issued before insert or update of prefix, padding on document_numbering
  for each row execute function guard_format_of_issued();
