CREATE TABLE "rule_dues" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"rule_id" text COLLATE "C" NOT NULL,
	"ticket_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	CONSTRAINT "rule_dues_tenant_id_rule_id_ticket_id_kind_pk" PRIMARY KEY("tenant_id","rule_id","ticket_id","kind")
);

--> statement-breakpoint
ALTER TABLE "rule_dues" ADD CONSTRAINT "rule_dues_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rule_dues" ADD CONSTRAINT "rule_dues_tenant_id_rule_id_rules_tenant_id_id_fk" FOREIGN KEY ("tenant_id","rule_id") REFERENCES "public"."rules"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "rule_dues" ADD CONSTRAINT "rule_dues_tenant_id_ticket_id_kind_promise_clocks_tenant_id_ticket_id_kind_fk" FOREIGN KEY ("tenant_id","ticket_id","kind") REFERENCES "public"."promise_clocks"("tenant_id","ticket_id","kind") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
CREATE INDEX "rule_dues_promise" ON "rule_dues" USING btree ("tenant_id","ticket_id","kind");
