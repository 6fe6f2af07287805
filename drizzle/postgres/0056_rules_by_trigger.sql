CREATE INDEX "rules_trigger" ON "rules" USING btree ("trigger","enabled");
