CREATE TABLE "contact_imports" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"file_name" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"encoding" text COLLATE "C" NOT NULL,
	"delimiter" text COLLATE "C" NOT NULL,
	"lines" bigint NOT NULL,
	"state" text COLLATE "C" NOT NULL,
	"plan" text COLLATE "C",
	"done_lines" bigint DEFAULT 0 NOT NULL,
	"created" bigint DEFAULT 0 NOT NULL,
	"updated" bigint DEFAULT 0 NOT NULL,
	"unchanged" bigint DEFAULT 0 NOT NULL,
	"refused" bigint DEFAULT 0 NOT NULL,
	"attempts" bigint DEFAULT 0 NOT NULL,
	"failures" bigint DEFAULT 0 NOT NULL,
	"due_at" text COLLATE "C",
	"expires_at" text COLLATE "C",
	"user_id" text COLLATE "C" NOT NULL,
	"user_name" text COLLATE "C" NOT NULL,
	"address" text COLLATE "C",
	"ended_at" text COLLATE "C",
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "contact_imports_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
CREATE TABLE "contact_merges" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"contact_id" text COLLATE "C" NOT NULL,
	"into_id" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "contact_merges_tenant_id_contact_id_pk" PRIMARY KEY("tenant_id","contact_id")
);

--> statement-breakpoint
CREATE TABLE "refused_lines" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"import_id" text COLLATE "C" NOT NULL,
	"line" bigint NOT NULL,
	"field" text COLLATE "C",
	"rule" text COLLATE "C" NOT NULL,
	"content" text COLLATE "C" NOT NULL,
	CONSTRAINT "refused_lines_tenant_id_import_id_line_pk" PRIMARY KEY("tenant_id","import_id","line")
);

--> statement-breakpoint
ALTER TABLE "contact_imports" ADD CONSTRAINT "contact_imports_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "contact_merges" ADD CONSTRAINT "contact_merges_tenant_id_into_id_contacts_tenant_id_id_fk" FOREIGN KEY ("tenant_id","into_id") REFERENCES "public"."contacts"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "refused_lines" ADD CONSTRAINT "refused_lines_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "refused_lines" ADD CONSTRAINT "refused_lines_tenant_id_import_id_contact_imports_tenant_id_id_fk" FOREIGN KEY ("tenant_id","import_id") REFERENCES "public"."contact_imports"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "contact_imports_due" ON "contact_imports" USING btree ("due_at") WHERE due_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "contact_imports_expiring" ON "contact_imports" USING btree ("expires_at") WHERE expires_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX "contact_merges_into" ON "contact_merges" USING btree ("tenant_id","into_id");
--> statement-breakpoint
CREATE INDEX "organisations_name" ON "organisations" USING btree ("tenant_id",lower(name),"id");
